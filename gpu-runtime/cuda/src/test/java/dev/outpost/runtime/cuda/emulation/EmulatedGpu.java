package dev.outpost.runtime.cuda.emulation;

import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.OutOfDeviceMemoryException;
import dev.outpost.runtime.cuda.library.CudaCheck;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * A GPU in this process's memory, which records its calls. Like a real queue, it may compute nothing until a thread waits, and then runs
 * either kernels or copies first, which reveals errors in the order. While it is {@linkplain #hold held} it computes nothing at all, and
 * waiting threads block. Blocks of memory are initially full of garbage, and have a guard after their end.
 */
@SuppressWarnings("restricted")
public final class EmulatedGpu implements Gpu {
    private static final int ALIGNMENT = 256;
    private static final int GUARD_BYTES = 64;
    private static final Duration TIMEOUT = Await.GUARD;
    private static final byte GARBAGE = 0x5b;

    private record Memory(Arena arena, MemorySegment segment, long bytes) {}

    private record Library(Arena arena, SymbolLookup symbols) implements DeviceCode {
        @Override
        public DeviceKernel kernel(String name) {
            MethodHandle handle = Linker.nativeLinker()
                    .downcallHandle(
                            symbols.findOrThrow("launch_" + name),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS));
            return new Function(name, handle);
        }

        @Override
        public void unload() {
            arena.close();
        }
    }

    private record Function(String name, MethodHandle handle) implements DeviceKernel {}

    private final long capacity;
    private final int architecture;
    private final Map<Long, Memory> memory = new HashMap<>();
    private final EmulatedQueues queues = new EmulatedQueues();
    private final Set<Mark> marks = ConcurrentHashMap.newKeySet();
    private final List<String> calls = new ArrayList<>();
    private long taken;
    private RuntimeException failure;
    private boolean closed;
    /** The graph that is being captured; null if there is none. */
    private EmulatedGraph captured;

    private boolean isHeld;
    private int waiting;
    private long kernelNanos;
    private boolean refusesGraphs;
    private final Set<Recording> graphs = new HashSet<>();

    /** A graph and its work. */
    private static final class Recording implements Graph {
        private EmulatedGraph work;
    }

    /** A GPU with everything that kernels may need. */
    public EmulatedGpu(long capacity) {
        this(capacity, 80);
    }

    public EmulatedGpu(long capacity, int architecture) {
        this.capacity = capacity;
        this.architecture = architecture;
    }

    /** Returns the calls since the last call of this method, one line each. */
    public synchronized List<String> calls() {
        List<String> said = List.copyOf(calls);
        calls.clear();
        return said;
    }

    /** Makes every later call that waits or appends fail with this. */
    public void failWith(RuntimeException next) {
        failure = next;
    }

    /** Stops all work, even if a thread waits for it. */
    public synchronized void hold() {
        isHeld = true;
    }

    /** Continues the work. */
    public synchronized void resume() {
        isHeld = false;
        notifyAll();
    }

    /** Runs the next step although the GPU is held; false if there is none. */
    public synchronized boolean advance() {
        boolean isDone = queues.runOne();
        notifyAll();
        return isDone;
    }

    /** The number of threads that wait for the GPU while it is held. */
    public synchronized int waiting() {
        return waiting;
    }

    /** Sets the time that a kernel takes by the device's clock. */
    public synchronized void kernelsTake(Duration time) {
        kernelNanos = time.toNanos();
    }

    /** Waits as a driver does: it cannot be interrupted, and other threads may append work. */
    private void awaitWhileHeld(BooleanSupplier isDone) {
        boolean isInterrupted = false;
        waiting++;
        while (isHeld && !isDone.getAsBoolean()) {
            try {
                wait();
            } catch (InterruptedException interrupted) {
                isInterrupted = true;
            }
        }
        waiting--;
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The number of blocks that were not released. */
    public int liveBlocks() {
        return memory.size();
    }

    /** The number of marks that were set and not waited for. */
    public int liveMarks() {
        return marks.size();
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public String description() {
        return "emulated GPU";
    }

    @Override
    public int architecture() {
        return architecture;
    }

    @Override
    public int multiprocessors() {
        return 1;
    }

    @Override
    public long memoryBytes() {
        return capacity;
    }

    @Override
    public long freeBytes() {
        failIfToldTo();
        return capacity - taken;
    }

    private void failIfToldTo() {
        if (failure != null) {
            throw failure;
        }
    }

    private synchronized void called(String call) {
        if (closed) {
            throw new IllegalStateException("closed, and asked " + call);
        }
        calls.add(call);
        failIfToldTo();
    }

    private void enqueue(Runnable work) {
        if (captured == null) {
            queues.append(Queue.KERNELS, work);
        } else {
            captured.append(Queue.KERNELS, () -> true, work);
        }
    }

    /** A call that a driver refuses while a graph is captured. */
    private void calledOutside(String call) {
        called(call);
        if (captured != null) {
            throw new AssertionError(call + " while a graph is captured");
        }
    }

    /** Work of a library that shares the queue of kernels. */
    public synchronized void append(Runnable work) {
        called("library");
        enqueue(work);
    }

    /** Appends a part of a library's exchange, which waits for another GPU. Returns true if a graph contains it. */
    synchronized boolean exchange(Object communicator, BooleanSupplier isReady, Runnable work) {
        called("exchange");
        if (captured == null) {
            queues.append(Queue.EXCHANGES, isReady, work);
            return false;
        }
        captured.append(Queue.EXCHANGES, isReady, work);
        captured.communicators().add(communicator);
        return true;
    }

    /** Returns true if a graph contains exchanges of a communicator. */
    synchronized boolean hasGraphOf(Object communicator) {
        return graphs.stream().anyMatch(graph -> graph.work.communicators().contains(communicator));
    }

    @Override
    public synchronized long allocate(long bytes) {
        called("allocate " + bytes);
        if (bytes > freeBytes()) {
            throw new OutOfDeviceMemoryException("only " + freeBytes() + " bytes left", null);
        }
        Arena arena = Arena.ofShared();
        MemorySegment segment = arena.allocate(bytes + GUARD_BYTES, ALIGNMENT);
        segment.fill(GARBAGE);
        memory.put(segment.address(), new Memory(arena, segment, bytes));
        taken += bytes;
        return segment.address();
    }

    @Override
    public synchronized void release(long address) {
        calledOutside("release");
        flush();
        Memory gone = memory.remove(address);
        for (long at = gone.bytes; at < gone.bytes + GUARD_BYTES; at++) {
            if (gone.segment.get(ValueLayout.JAVA_BYTE, at) != GARBAGE) {
                throw new AssertionError("a kernel wrote behind its block of " + gone.bytes + " bytes");
            }
        }
        gone.arena.close();
        taken -= gone.bytes;
    }

    @Override
    public synchronized void fill(long address, long bytes, int value) {
        called("fill " + bytes + " with " + value);
        enqueue(() -> at(address, bytes).fill((byte) value));
    }

    @Override
    public synchronized void copy(long to, long from, long bytes) {
        called("copy " + bytes);
        enqueue(() -> at(to, bytes).copyFrom(at(from, bytes)));
    }

    @Override
    public synchronized ByteBuffer hostBuffer(int bytes) {
        calledOutside("host buffer " + bytes);
        return ByteBuffer.allocateDirect(bytes);
    }

    @Override
    public synchronized void upload(Queue queue, ByteBuffer from, long to, int bytes) {
        calledOutside("upload " + bytes + beside(queue));
        queues.append(queue, () -> at(to, bytes).copyFrom(MemorySegment.ofBuffer(from.slice(0, bytes))));
    }

    @Override
    public synchronized void download(Queue queue, long from, ByteBuffer to, int bytes) {
        calledOutside("download " + bytes + beside(queue));
        queues.append(queue, () -> MemorySegment.ofBuffer(to.slice(0, bytes)).copyFrom(at(from, bytes)));
    }

    private static String beside(Queue queue) {
        return queue == Queue.KERNELS ? "" : " beside";
    }

    /** Sets which queue runs first when a thread waits; a driver may choose any. */
    public void copiesFirst(boolean areFirst) {
        queues.copiesFirst(areFirst);
    }

    /** Returns device memory to a library whose work is appended. */
    public MemorySegment memory(long address, long bytes) {
        return at(address, bytes);
    }

    /** Returns memory within an existing block; otherwise the test fails, instead of a crash of the process. */
    private MemorySegment at(long address, long bytes) {
        for (Memory block : memory.values()) {
            long offset = address - block.segment.address();
            if (offset >= 0 && offset + bytes <= block.bytes) {
                return block.segment.asSlice(offset, bytes);
            }
        }
        throw new AssertionError("no block holds " + bytes + " bytes at " + address);
    }

    @Override
    public DeviceCode load(byte[] image) {
        calledOutside("load");
        try {
            Path file = Files.createTempFile("emulated", ".so");
            Files.write(file, image);
            Arena arena = Arena.ofShared();
            SymbolLookup symbols = SymbolLookup.libraryLookup(file, arena);
            Files.delete(file);
            return new Library(arena, symbols);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public synchronized void launch(DeviceKernel kernel, long blocks, int threads, long[] arguments) {
        Function function = (Function) kernel;
        called("launch " + function.name + " " + blocks + " x " + threads);
        long[] with = arguments.clone();
        enqueue(() -> {
            run(function, blocks, threads, with);
            queues.pass(kernelNanos);
        });
    }

    private static void run(Function function, long blocks, int threads, long[] arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment words = arena.allocateFrom(ValueLayout.JAVA_LONG, arguments);
            int stuck = (int) function.handle.invokeExact(blocks, threads, words);
            if (stuck != 0) {
                throw new AssertionError(function.name + ": threads wait for others that never come");
            }
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Makes the GPU refuse graphs, like a driver that does not support them for the requested work. */
    public void refuseGraphs() {
        refusesGraphs = true;
    }

    /** The number of graphs that were not dropped. */
    public int liveGraphs() {
        return graphs.size();
    }

    @Override
    public synchronized Graph capture(Runnable work) {
        Recording graph = new Recording();
        record("capture", graph, work);
        graphs.add(graph);
        return graph;
    }

    @Override
    public synchronized void recapture(Graph graph, Runnable work) {
        requireLive(graph);
        record("recapture", (Recording) graph, work);
    }

    private void record(String call, Recording graph, Runnable work) {
        calledOutside(call);
        captured = new EmulatedGraph();
        try {
            work.run();
            captured.requireJoined();
            if (refusesGraphs) {
                new CudaCheck(_ -> "no such graph").check("cuGraphInstantiate", 801);
            }
            graph.work = captured;
        } finally {
            captured = null;
        }
    }

    @Override
    public synchronized void launch(Graph graph) {
        calledOutside("launch graph");
        requireLive(graph);
        ((Recording) graph).work.launch(queues);
    }

    @Override
    public synchronized void drop(Graph graph) {
        calledOutside("drop graph");
        requireLive(graph);
        graphs.remove(graph);
    }

    private void requireLive(Graph graph) {
        if (!graphs.contains(graph)) {
            throw new AssertionError("the graph was dropped");
        }
    }

    @Override
    public synchronized Mark mark(Queue queue) {
        called("mark" + beside(queue));
        Mark mark = captured == null ? queues.mark(queue) : captured.mark(queue);
        marks.add(mark);
        return mark;
    }

    @Override
    public synchronized void follow(Queue queue, Mark mark) {
        called(queue + " follow");
        requireSet(mark);
        if (captured == null) {
            queues.follow(queue, mark);
        } else {
            captured.follow(queue, mark);
        }
    }

    @Override
    public synchronized void forget(Mark mark) {
        requireSet(mark);
        marks.remove(mark);
    }

    @Override
    public synchronized void reach(Mark mark) {
        calledOutside("await");
        requireSet(mark);
        awaitWhileHeld(() -> EmulatedQueues.isPast(mark));
        failIfToldTo();
        runUntil(() -> EmulatedQueues.isPast(mark));
    }

    @Override
    public synchronized long nanos(Mark from, Mark to) {
        requireSet(from);
        requireSet(to);
        return EmulatedQueues.nanos(from, to);
    }

    private void requireSet(Mark mark) {
        if (!marks.contains(mark)) {
            throw new AssertionError("the mark was never set, or was forgotten");
        }
    }

    private synchronized void flush() {
        awaitWhileHeld(queues::isEmpty);
        runUntil(queues::isEmpty);
    }

    /** Runs the queues. Other threads may use the GPU while it waits for another GPU. */
    private void runUntil(BooleanSupplier isDone) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!isDone.getAsBoolean()) {
            // Read first, because the other GPU may continue in between.
            boolean isHeld = queues.isHeldByOthers();
            if (queues.runOne()) {
                continue;
            }
            if (!isHeld || System.nanoTime() > deadline) {
                throw new AssertionError("all queues wait for each other, or another GPU did not come");
            }
            try {
                wait(1);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException("interrupted", interrupted);
            }
        }
    }

    @Override
    public void close() {
        flush();
        closed = true;
        memory.values().forEach(block -> block.arena.close());
    }
}
