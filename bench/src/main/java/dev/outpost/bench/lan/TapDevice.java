package dev.outpost.bench.lan;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A network device whose Ethernet frames this process reads and writes (Linux's {@code Documentation/networking/tuntap.rst}).
 * One thread may read while another one writes.
 */
final class TapDevice implements AutoCloseable {
    private static final int MAX_FRAME_BYTES = 1 << 16;
    private static final int READ_WRITE = 2;
    private static final long SET_INTERFACE = 0x400454caL;
    private static final short TAP_WITHOUT_HEADER = 0x1002;
    private static final int REQUEST_BYTES = 40;
    private static final int FLAGS_OFFSET = 16;
    private static final short READABLE = 1;
    private static final int POLL_BYTES = 8;
    private static final int POLL_MILLIS = 100;

    private static final MethodHandle OPEN =
            call("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CONTROL = call(
            "ioctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle POLL =
            call("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle READ =
            call("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            call("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final Arena arena = Arena.ofShared();
    private final MemorySegment incoming = arena.allocate(MAX_FRAME_BYTES);
    private final MemorySegment outgoing = arena.allocate(MAX_FRAME_BYTES);
    private final MemorySegment poll = arena.allocate(POLL_BYTES, Integer.BYTES);
    private final int file;

    private TapDevice(int file) {
        this.file = file;
        poll.set(JAVA_INT, 0, file);
        poll.set(JAVA_SHORT, Integer.BYTES, READABLE);
    }

    @SuppressWarnings("restricted")
    private static MethodHandle call(String name, FunctionDescriptor type, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
    }

    /** Creates a device with a name. Closing this removes it. */
    static TapDevice open(String name) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(REQUEST_BYTES, Long.BYTES);
            request.setString(0, name);
            request.set(JAVA_SHORT, FLAGS_OFFSET, TAP_WITHOUT_HEADER);
            int file = (int) OPEN.invokeExact(arena.allocateFrom("/dev/net/tun"), READ_WRITE);
            if (file < 0 || (int) CONTROL.invokeExact(file, SET_INTERFACE, request) < 0) {
                throw new IOException("lan: the device " + name + " cannot be made: it needs root and /dev/net/tun");
            }
            return new TapDevice(file);
        } catch (IOException failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IOException("lan: " + failure, failure);
        }
    }

    /** Returns the next frame that the kernel sends on this device; null if there is none within a tenth of a second. */
    byte[] read() throws IOException {
        try {
            if ((int) POLL.invokeExact(poll, 1L, POLL_MILLIS) <= 0) {
                return null;
            }
            long bytes = (long) READ.invokeExact(file, incoming, (long) MAX_FRAME_BYTES);
            return bytes <= 0 ? null : incoming.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
        } catch (Throwable failure) {
            throw new IOException("lan: " + failure, failure);
        }
    }

    /** Passes a frame to the kernel, which drops it if it has no room, as with any device. */
    void write(byte[] frame) throws IOException {
        try {
            MemorySegment.copy(frame, 0, outgoing, ValueLayout.JAVA_BYTE, 0, frame.length);
            long written = (long) WRITE.invokeExact(file, outgoing, (long) frame.length);
            assert written <= frame.length;
        } catch (Throwable failure) {
            throw new IOException("lan: " + failure, failure);
        }
    }

    /** Closes the device. No other thread may be reading or writing. */
    @Override
    public void close() throws IOException {
        try {
            int status = (int) CLOSE.invokeExact(file);
            assert status == 0;
        } catch (Throwable failure) {
            throw new IOException("lan: " + failure, failure);
        } finally {
            arena.close();
        }
    }
}
