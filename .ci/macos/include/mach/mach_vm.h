// The one function of this header of Apple's that the program calls: the compiler's own headers lack it.
#include <mach/mach_types.h>

kern_return_t mach_vm_region(vm_map_read_t, mach_vm_address_t *, mach_vm_size_t *, vm_region_flavor_t, vm_region_info_t, mach_msg_type_number_t *, mach_port_t *);
