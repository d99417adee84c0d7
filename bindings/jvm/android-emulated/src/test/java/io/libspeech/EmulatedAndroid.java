package io.libspeech;

import com.github.unidbg.AndroidEmulator;
import com.github.unidbg.Emulator;
import com.github.unidbg.Module;
import com.github.unidbg.arm.Arm64Svc;
import com.github.unidbg.arm.ArmSvc;
import com.github.unidbg.arm.ARMEmulator;
import com.github.unidbg.arm.backend.Backend;
import com.github.unidbg.arm.backend.DynarmicFactory;
import com.github.unidbg.arm.backend.Unicorn2Factory;
import com.github.unidbg.arm.context.Arm32RegisterContext;
import com.github.unidbg.arm.context.Arm64RegisterContext;
import com.github.unidbg.arm.context.RegisterContext;
import com.github.unidbg.file.FileResult;
import com.github.unidbg.file.linux.AndroidFileIO;
import com.github.unidbg.linux.ARM32SyscallHandler;
import com.github.unidbg.linux.ARM64SyscallHandler;
import com.github.unidbg.linux.LinuxModule;
import com.github.unidbg.linux.ModuleSymbol;
import com.github.unidbg.linux.android.AndroidARM64Emulator;
import com.github.unidbg.linux.android.AndroidARMEmulator;
import com.github.unidbg.linux.android.AndroidResolver;
import com.github.unidbg.linux.android.dvm.AbstractJni;
import com.github.unidbg.linux.android.dvm.BaseVM;
import com.github.unidbg.linux.android.dvm.DvmObject;
import com.github.unidbg.linux.android.dvm.VM;
import com.github.unidbg.linux.android.dvm.VaList;
import com.github.unidbg.linux.android.dvm.array.ByteArray;
import com.github.unidbg.linux.file.SimpleFileIO;
import com.github.unidbg.memory.MemoryBlock;
import com.github.unidbg.memory.SvcMemory;
import com.github.unidbg.pointer.UnidbgPointer;
import com.github.unidbg.unix.UnixSyscallHandler;
import com.sun.jna.Pointer;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.fornwall.jelf.ElfSymbol;

/**
 * The native library on an emulated processor, with the real libraries of Android 6 (API level 23)
 * and a substitute for the virtual machine, which has the JNI functions that the library calls.
 */
final class EmulatedAndroid implements AutoCloseable {
    /** The answer of a task: the arguments of `Completion.complete`. */
    record Completed(byte[] answer, byte[] samples) {}

    private static final String CALL =
            "call(Ljava/lang/Object;[BLjava/nio/ByteBuffer;Lio/libspeech/Completion;)[B";
    private static final String COMPLETE = "io/libspeech/Completion->complete([BLjava/nio/ByteBuffer;)V";
    private static final String ALLOCATE = "io/libspeech/Completion->allocate(I)Ljava/nio/ByteBuffer;";

    private static final String NAME = "io.libspeech.test";

    /** The numbers of a system call, and its implementation. */
    private static final int MADVISE_64 = 233;

    private static final int MADVISE_32 = 220;
    private static final int MADV_DONTNEED = 4;

    /** The time limit of a task. */
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /**
     * The slot of `GetDirectBufferAddress` in the JNI function table, which unidbg does not
     * implement.
     */
    private static final int GET_DIRECT_BUFFER_ADDRESS = 230;

    private final AndroidEmulator emulator;
    private final VM vm;
    private final DvmObject<?> natives;
    private final LinuxModule module;
    private final Module libc;
    private final List<Completed> completed = new ArrayList<>();

    /** Loads a library into a new process, whose files are those of a folder. */
    EmulatedAndroid(File library, boolean is64Bit, File root) {
        emulator = is64Bit ? new Process64(root) : new Process32(root);
        emulator.getMemory().setLibraryResolver(new AndroidResolver(23));
        emulator.getSyscallHandler().setEnableThreadDispatcher(true);
        emulator.getSyscallHandler()
                .addIOResolver(
                        (emulator, path, flags) -> {
                            File file = new File(root, path);
                            return file.isFile() ? FileResult.success(new SeekableFile(flags, file, path)) : null;
                        });
        vm = emulator.createDalvikVM();
        vm.setJni(new Answers());
        module = (LinuxModule) vm.loadLibrary(library, true).getModule();
        replaceBufferFunction(is64Bit);
        natives = vm.resolveClass("io/libspeech/Native").newObject(null);
        libc = emulator.getMemory().findModule("libc.so");
    }

    /** The functions that the library calls and Android 6 lacks, of those that must exist. */
    List<String> missing() throws IOException {
        List<String> names = new ArrayList<>();
        for (ModuleSymbol unresolved : module.getUnresolvedSymbol()) {
            if (unresolved.getSymbol().getBinding() != ElfSymbol.BINDING_WEAK) {
                names.add(unresolved.getSymbol().getName());
            }
        }
        return names;
    }

    /** Makes a call. */
    Fields call(Call call) {
        return call(call, null);
    }

    private Fields call(Call call, DvmObject<?> completion) {
        ByteArray bytes = new ByteArray(vm, call.toByteArray());
        DvmObject<?> answer = natives.callJniMethodObject(emulator, CALL, null, bytes, null, completion);
        return Answer.read((byte[]) answer.getValue());
    }

    /** Makes a call that starts a task, and waits for its completion. */
    Completed await(Call call) {
        int before = completed.size();
        call(call, vm.resolveClass("io/libspeech/Completion").newObject(null));
        long end = System.nanoTime() + LIMIT.toNanos();
        // Threads are switched while one of them waits.
        while (completed.size() == before && System.nanoTime() < end) {
            libc.callFunction(emulator, "usleep", 1_000);
        }
        if (completed.size() == before) {
            throw new AssertionError("the task has not completed");
        }
        return completed.get(before);
    }

    @Override
    public void close() throws IOException {
        emulator.close();
    }

    /** The Java methods that the library calls. */
    private final class Answers extends AbstractJni {
        @Override
        public void callVoidMethodV(BaseVM vm, DvmObject<?> object, String signature, VaList arguments) {
            if (!COMPLETE.equals(signature)) {
                super.callVoidMethodV(vm, object, signature, arguments);
                return;
            }
            DvmObject<?> answer = arguments.getObjectArg(0);
            DvmObject<?> samples = arguments.getObjectArg(1);
            completed.add(
                    new Completed(
                            answer == null ? null : (byte[]) answer.getValue(),
                            samples == null ? null : ((Direct) samples.getValue()).bytes()));
        }

        @Override
        public DvmObject<?> callObjectMethodV(BaseVM vm, DvmObject<?> object, String signature, VaList arguments) {
            if (!ALLOCATE.equals(signature)) {
                return super.callObjectMethodV(vm, object, signature, arguments);
            }
            int length = arguments.getIntArg(0);
            MemoryBlock memory = emulator.getMemory().malloc(Math.max(length, 1), true);
            return vm.resolveClass("java/nio/ByteBuffer").newObject(new Direct(memory, length));
        }
    }

    /** A 64-bit process. */
    private static final class Process64 extends AndroidARM64Emulator {
        Process64(File root) {
            super(NAME, root, List.of(new DynarmicFactory(false)));
        }

        @Override
        protected UnixSyscallHandler<AndroidFileIO> createSyscallHandler(SvcMemory memory) {
            return new ARM64SyscallHandler(memory) {
                @Override
                public void hook(Backend backend, int interrupt, int number, Object user) {
                    Arm64RegisterContext context = getContext();
                    if (interrupt == ARMEmulator.EXCP_SWI && number == 0 && context.getXInt(8) == MADVISE_64) {
                        advise(Process64.this, context.getXLong(0), context.getXInt(1), context.getXInt(2));
                    }
                    super.hook(backend, interrupt, number, user);
                }
            };
        }
    }

    /** A 32-bit process. Dynarmic, which is faster, does not support all of its instructions. */
    private static final class Process32 extends AndroidARMEmulator {
        Process32(File root) {
            super(NAME, root, List.of(new Unicorn2Factory(false)));
        }

        @Override
        protected UnixSyscallHandler<AndroidFileIO> createSyscallHandler(SvcMemory memory) {
            return new ARM32SyscallHandler(memory) {
                @Override
                public void hook(Backend backend, int interrupt, int number, Object user) {
                    Arm32RegisterContext context = getContext();
                    if (interrupt == ARMEmulator.EXCP_SWI && number == 0 && context.getR7Int() == MADVISE_32) {
                        advise(Process32.this, context.getR0Long(), context.getR1Int(), context.getR2Int());
                    }
                    super.hook(backend, interrupt, number, user);
                }
            };
        }
    }

    /**
     * Clears memory that a process no longer needs, as Android's allocator expects. unidbg omits
     * this.
     */
    private static void advise(Emulator<?> emulator, long address, int length, int advice) {
        if (advice == MADV_DONTNEED) {
            emulator.getBackend().mem_write(address, new byte[length]);
        }
    }

    /** A file in which 32-bit processors can seek relative to the position. unidbg omits this. */
    private static final class SeekableFile extends SimpleFileIO {
        SeekableFile(int flags, File file, String path) {
            super(flags, file, path);
        }

        @Override
        public int llseek(long offset, Pointer result, int whence) {
            result.setLong(0, lseek(Math.toIntExact(offset), whence));
            return 0;
        }
    }

    /** A direct buffer. */
    private record Direct(MemoryBlock memory, int length) {
        byte[] bytes() {
            return memory.getPointer().getByteArray(0, length);
        }
    }

    private void replaceBufferFunction(boolean is64Bit) {
        UnidbgPointer table = (UnidbgPointer) vm.getJNIEnv().getPointer(0);
        table.setPointer((long) GET_DIRECT_BUFFER_ADDRESS * (is64Bit ? 8 : 4), bufferFunction(is64Bit));
    }

    private UnidbgPointer bufferFunction(boolean is64Bit) {
        SvcMemory memory = emulator.getSvcMemory();
        if (is64Bit) {
            return memory.registerSvc(
                    new Arm64Svc() {
                        @Override
                        public long handle(Emulator<?> emulator) {
                            return bufferAddress(emulator);
                        }
                    });
        }
        return memory.registerSvc(
                new ArmSvc() {
                    @Override
                    public long handle(Emulator<?> emulator) {
                        return bufferAddress(emulator);
                    }
                });
    }

    /** Returns the address of the buffer in the argument after the environment. */
    private long bufferAddress(Emulator<?> emulator) {
        RegisterContext context = emulator.getContext();
        Direct buffer = (Direct) vm.getObject(context.getIntArg(1)).getValue();
        return buffer.memory.getPointer().peer;
    }

    /** The samples in a Java buffer. */
    static ByteBuffer direct(byte[] samples) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(samples.length);
        buffer.put(samples).flip();
        return buffer;
    }
}
