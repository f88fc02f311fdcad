package dev.outpost.runtime.cuda.emulation;

import dev.outpost.runtime.cuda.device.CollectiveLibrary;
import dev.outpost.types.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A library of exchanges between emulated GPUs of float32. It remembers what it was asked. Each GPU has one; all share a wire. */
public final class EmulatedCollectives implements CollectiveLibrary {
    private static final long PATIENCE_SECONDS = 60;

    /** What the GPUs are connected by. */
    public static final class Wire {
        private final Map<ByteBuffer, Meeting> meetings = new ConcurrentHashMap<>();
        private final AtomicInteger ids = new AtomicInteger();
        private final List<String> calls = new CopyOnWriteArrayList<>();

        /** The calls of all members so far, one line each. */
        public List<String> calls() {
            return List.copyOf(calls);
        }
    }

    private static final class Meeting {
        final CyclicBarrier barrier;
        final float[][] operands;

        Meeting(int size) {
            barrier = new CyclicBarrier(size);
            operands = new float[size][];
        }

        float[][] trade(int rank, float[] own) {
            operands[rank] = own;
            await();
            float[][] all = operands.clone();
            await();
            return all;
        }

        private void await() {
            try {
                barrier.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (Exception broken) {
                throw new IllegalStateException("the members did not meet: " + broken, broken);
            }
        }
    }

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
    public Communicator join(byte[] id, String key, int size, int rank) {
        wire.calls.add("join " + new String(id) + " " + rank + " of " + size);
        return new Member(wire.meetings.computeIfAbsent(ByteBuffer.wrap(id), fresh -> new Meeting(size)), rank);
    }

    @Override
    public boolean takes(DType dtype) {
        return dtype == DType.FLOAT32;
    }

    private final class Member implements Communicator {
        private final Meeting meeting;
        private final int rank;

        Member(Meeting meeting, int rank) {
            this.meeting = meeting;
            this.rank = rank;
        }

        @Override
        public void allReduce(long from, long to, long elements, DType dtype) {
            wire.calls.add("all_reduce " + elements + " on " + rank);
            gpu.append(() -> write(to, sum(meeting.trade(rank, read(from, elements)))));
        }

        @Override
        public void allGather(long from, long to, long elements, DType dtype) {
            wire.calls.add("all_gather " + elements + " on " + rank);
            gpu.append(() -> {
                float[][] all = meeting.trade(rank, read(from, elements));
                for (int member = 0; member < all.length; member++) {
                    write(to + member * elements * Float.BYTES, all[member]);
                }
            });
        }

        @Override
        public void reduceScatter(long from, long to, long elements, DType dtype) {
            wire.calls.add("reduce_scatter " + elements + " on " + rank);
            gpu.append(() -> {
                float[] sum = sum(meeting.trade(rank, read(from, elements * meeting.operands.length)));
                float[] own = new float[(int) elements];
                System.arraycopy(sum, (int) (rank * elements), own, 0, own.length);
                write(to, own);
            });
        }

        @Override
        public void abort() {
            wire.calls.add("abort on " + rank);
            meeting.barrier.reset();
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
