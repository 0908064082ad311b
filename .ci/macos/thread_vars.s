// A variable of a thread that nobody uses. Compilers ask for no alignment of the descriptors of such variables, and the linker gives them none, where macOS
// reads pointers: this one is aligned, and so are all.
.tbss _aligned$tlv$init, 8, 3
.section __DATA,__thread_vars,thread_local_variables
.p2align 3
.globl _aligned
.no_dead_strip _aligned
_aligned:
.quad __tlv_bootstrap
.quad 0
.quad _aligned$tlv$init
