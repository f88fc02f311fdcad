package dev.outpost.runtime.cuda.emulation;

import dev.outpost.runtime.cuda.device.CollectiveLibrary;
import dev.outpost.runtime.engine.MissingMembersException;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A library of exchanges of float32 elements between emulated GPUs. It records its calls. Each GPU has its own library; all share a wire.
 */
public final class EmulatedCollectives implements CollectiveLibrary {
    /** The connection between the GPUs. */
    public static final class Wire {
        private final Map<String, Queue<float[]>> letters = new ConcurrentHashMap<>();
        private final Map<ByteBuffer, Meeting> meetings = new ConcurrentHashMap<>();
        private final AtomicInteger ids = new AtomicInteger();
        private final List<String> calls = new CopyOnWriteArrayList<>();

        private volatile boolean isSpoiled;

        /** Makes the first element of each later result wrong. */
        public void invalidateResults() {
            isSpoiled = true;
        }

        /** The calls of all members so far, one line each. */
        public List<String> calls() {
            return List.copyOf(calls);
        }
    }

    /** The meeting of the members with one id. */
    private static final class Meeting {
        final CountDownLatch joined;
        private final int size;
        private final Map<Integer, float[][]> rounds = new HashMap<>();
        private boolean isAborted;

        Meeting(int size) {
            this.size = size;
            joined = new CountDownLatch(size);
        }

        synchronized void give(int round, int rank, float[] own) {
            rounds.computeIfAbsent(round, fresh -> new float[size][])[rank] = own;
        }

        synchronized boolean isComplete(int round) {
            return isAborted || Arrays.stream(rounds.get(round)).allMatch(Objects::nonNull);
        }

        synchronized float[][] all(int round) {
            requireWhole();
            return rounds.get(round);
        }

        synchronized void requireWhole() {
            if (isAborted) {
                throw new IllegalStateException("the members did not meet: aborted");
            }
        }

        synchronized void abort() {
            isAborted = true;
        }

        synchronized boolean isAborted() {
            return isAborted;
        }
    }

    private static final Duration TIMEOUT = Await.GUARD;

    private final Wire wire;
    private final EmulatedGpu gpu;
    private final String name;
    private final String device;

    public EmulatedCollectives(Wire wire, EmulatedGpu gpu, String name, String device) {
        this.wire = wire;
        this.gpu = gpu;
        this.name = name;
        this.device = device;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String device() {
        return device;
    }

    @Override
    public byte[] drawId(String key) {
        return ("id " + wire.ids.incrementAndGet()).getBytes();
    }

    @Override
    public Communicator join(byte[] id, String key, int size, int rank, Duration timeout) {
        wire.calls.add("join " + new String(id) + " " + rank + " of " + size);
        Meeting meeting = wire.meetings.computeIfAbsent(ByteBuffer.wrap(id), fresh -> new Meeting(size));
        meeting.joined.countDown();
        try {
            if (!meeting.joined.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new MissingMembersException("join", timeout);
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("interrupted", interrupted);
        }
        return new Member(meeting, new String(id), rank);
    }

    @Override
    public boolean isCaptured() {
        return true;
    }

    @Override
    public boolean takes(DType dtype) {
        return dtype == DType.FLOAT32;
    }

    private final class Member implements Communicator {
        private final Meeting meeting;
        private final String id;
        private final int rank;
        /** The number of exchanges that have run; each sends and then receives. */
        private int rounds;
        /** The receipts of the running body; null if none runs. */
        private List<Runnable> receipts;

        Member(Meeting meeting, String id, int rank) {
            this.meeting = meeting;
            this.id = id;
            this.rank = rank;
        }

        @Override
        public void allReduce(long from, long to, long elements, DType dtype) {
            wire.calls.add("all_reduce " + elements + " on " + rank);
            trade(from, elements, all -> write(to, sum(all)));
        }

        @Override
        public void allGather(long from, long to, long elements, DType dtype) {
            wire.calls.add("all_gather " + elements + " on " + rank);
            trade(from, elements, all -> {
                for (int member = 0; member < all.length; member++) {
                    write(to + member * elements * Float.BYTES, all[member]);
                }
            });
        }

        @Override
        public void reduceScatter(long from, long to, long elements, DType dtype) {
            wire.calls.add("reduce_scatter " + elements + " on " + rank);
            trade(from, elements * meeting.size, all -> {
                float[] sum = sum(all);
                float[] own = new float[(int) elements];
                System.arraycopy(sum, (int) (rank * elements), own, 0, own.length);
                write(to, own);
            });
        }

        private void trade(long from, long elements, Consumer<float[][]> use) {
            boolean isCaptured =
                    gpu.exchange(this, () -> true, () -> meeting.give(++rounds, rank, read(from, elements)));
            gpu.exchange(this, () -> meeting.isComplete(rounds), () -> {
                // Like a real library: kernels of a graph end, and only the host is told.
                if (!isCaptured || !meeting.isAborted()) {
                    use.accept(meeting.all(rounds));
                }
            });
        }

        @Override
        public void send(long from, long elements, DType dtype, int member) {
            wire.calls.add("send " + elements + " on " + rank + " to " + member);
            gpu.exchange(this, () -> true, () -> letters(rank, member).add(read(from, elements)));
        }

        /** Receives after all sends of a body. */
        @Override
        public void receive(long to, long elements, DType dtype, int member) {
            wire.calls.add("receive " + elements + " on " + rank + " from " + member);
            Queue<float[]> letters = letters(member, rank);
            Runnable receipt = () -> gpu.exchange(
                    this, () -> meeting.isAborted() || !letters.isEmpty(), () -> write(to, taken(letters, elements)));
            if (receipts == null) {
                receipt.run();
            } else {
                receipts.add(receipt);
            }
        }

        @Override
        public void grouped(Runnable body) {
            List<Runnable> behind = new ArrayList<>();
            receipts = behind;
            try {
                body.run();
            } finally {
                receipts = null;
            }
            behind.forEach(Runnable::run);
        }

        private Queue<float[]> letters(int from, int to) {
            return wire.letters.computeIfAbsent(id + " " + from + " " + to, fresh -> new ConcurrentLinkedQueue<>());
        }

        private float[] taken(Queue<float[]> letters, long elements) {
            meeting.requireWhole();
            float[] taken = letters.remove();
            if (taken.length != elements) {
                throw new IllegalStateException("expected " + elements + " elements, got " + taken.length);
            }
            return taken;
        }

        @Override
        public void abort() {
            wire.calls.add("abort on " + rank);
            meeting.abort();
            // The real library would wait forever.
            long deadline = System.nanoTime() + TIMEOUT.toNanos();
            while (gpu.hasGraphOf(this)) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("a graph has exchanges of a communicator that is to end");
                }
                LockSupport.parkNanos(1_000_000);
            }
        }

        @Override
        public void close() {
            wire.calls.add("close on " + rank);
        }
    }

    private float[] read(long address, long elements) {
        return gpu.memory(address, elements * Float.BYTES).toArray(ValueLayout.JAVA_FLOAT);
    }

    private void write(long address, float[] elements) {
        elements[0] += wire.isSpoiled ? 1 : 0;
        gpu.memory(address, (long) elements.length * Float.BYTES).copyFrom(MemorySegment.ofArray(elements));
    }

    private static float[] sum(float[][] terms) {
        float[] sum = terms[0].clone();
        for (int member = 1; member < terms.length; member++) {
            for (int index = 0; index < sum.length; index++) {
                sum[index] += terms[member][index];
            }
        }
        return sum;
    }
}
