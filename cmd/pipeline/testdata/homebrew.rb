# Loads a formula as Homebrew does on a system, as far as this formula asks: homebrew.rb FORMULA SYSTEM PROCESSOR prints the address and the hash; with ARCHIVE and
# PREFIX it also unpacks the archive, installs from the one folder in it, and runs the formula's test.
require "fileutils"
require "pathname"
require "tmpdir"

FILE, SYSTEM, PROCESSOR, ARCHIVE, PREFIX = ARGV

class Pathname
  def install(*files)
    files.flatten.each do |file|
      file, name = file.is_a?(Hash) ? file.first : [file, File.basename(file)]
      raise "#{file} is not in the archive" unless File.exist?(file)
      mkpath
      FileUtils.mv(file, self + name)
    end
  end
end

class Formula
  TOLD = {}
  class << self
    %i[desc homepage version license url sha256].each { |fact| define_method(fact) { |text| TOLD[fact] = text } }
    def depends_on(what) = TOLD[:needs] = what
    def on_macos = (yield if SYSTEM == "macos")
    def on_linux = (yield if SYSTEM == "linux")
    def on_arm = (yield if PROCESSOR == "arm")
    def on_intel = (yield if PROCESSOR == "intel")
    def test(&block) = define_method(:tried, &block)
  end
  { bin: "bin", man1: "share/man/man1", bash_completion: "etc/bash_completion.d", zsh_completion: "share/zsh/site-functions",
    fish_completion: "share/fish/vendor_completions.d", doc: "share/doc/cursor-pipeline" }.each do |name, folder|
    define_method(name) { Pathname(PREFIX) + folder }
  end
  def version = TOLD[:version]
  def shell_output(command) = `#{command}`.tap { raise "#{command} ended with #{$?.exitstatus}" unless $?.success? }
  def system(*command) = Kernel.system(*command.map(&:to_s)) || raise("#{command.join(" ")} failed")
  def assert_match(wanted, text) = text.include?(wanted) || raise("#{text} lacks #{wanted}")
end

load FILE
puts Formula::TOLD.values_at(:url, :sha256, :needs).compact.map(&:to_s)
exit unless ARCHIVE
formula = CursorPipeline.new
Dir.mktmpdir do |dir|
  Kernel.system("tar", "-xf", ARCHIVE, "-C", dir) || exit(1)
  Dir.chdir(Dir[dir + "/*"].first) { formula.install }
end
Dir.mktmpdir { |dir| Dir.chdir(dir) { formula.tried } }
