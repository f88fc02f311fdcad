package dev.outpost.runtime.cuda.library;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/** A function of a native library. Arguments are boxed, which costs nothing compared to the functions of CUDA. */
@SuppressWarnings("restricted")
public final class NativeFunction {
    private static final MethodType SPREAD = MethodType.methodType(Object.class, Object[].class);

    private final String name;
    private final MethodHandle handle;

    /**
     * @param address the address of its code
     * @param type its parameters and result
     */
    public NativeFunction(String name, MemorySegment address, FunctionDescriptor type) {
        this.name = name;
        handle = Linker.nativeLinker()
                .downcallHandle(address, type)
                .asSpreader(Object[].class, type.argumentLayouts().size())
                .asType(SPREAD);
    }

    public String name() {
        return name;
    }

    /** Calls a function whose result is an {@code int}. */
    public int callInt(Object... arguments) {
        return (int) call(arguments);
    }

    /** Calls a function whose result is a {@code long} or a {@code size_t}. */
    public long callLong(Object... arguments) {
        return (long) call(arguments);
    }

    /** Calls a function whose result is a pointer. */
    public MemorySegment callPointer(Object... arguments) {
        return (MemorySegment) call(arguments);
    }

    private Object call(Object[] arguments) {
        try {
            return handle.invokeExact(arguments);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
