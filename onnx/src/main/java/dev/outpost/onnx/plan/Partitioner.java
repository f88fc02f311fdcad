package dev.outpost.onnx.plan;

import dev.outpost.onnx.type.OnnxException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Divides a model into consecutive stages on different workers. Minimizes the longest of all computations and
 * transfers. The worker of each stage has enough memory for it. Among equally good divisions, prefers a shorter time
 * from end to end. Uses dynamic programming over cuts, sets of workers and the worker of the last stage, so it
 * considers all orders of workers.
 */
public final class Partitioner {
    /**
     * The maximum number of cuts to consider: the cuts with the fewest bytes, one in each of several equal parts of
     * the model.
     */
    static final int MAX_CUTS = 64;

    /** The maximum number of workers to consider: the fastest ones. */
    static final int MAX_WORKERS = 8;

    private final ModelCosts costs;
    private final List<WorkerSpeed> workers;
    /** Indices of the considered workers among all workers. */
    private final List<Integer> chosen;
    /** The bytes of an activation in transit divided by its bytes in memory. */
    private final double compression;

    private final int[] cuts;
    /** The bytes that are transferred at each cut. */
    private final double[] wire;
    /** The seconds of a stage by worker, first cut and last cut; NaN if the stage does not fit in the memory. */
    private final double[][][] seconds;

    private Partitioner(ModelCosts costs, List<WorkerSpeed> workers, double compression) {
        this.costs = costs;
        this.workers = workers;
        this.compression = compression;
        this.chosen = IntStream.range(0, workers.size())
                .boxed()
                .sorted(Comparator.comparingDouble(place -> -workers.get(place).operationsPerSecond()))
                .limit(MAX_WORKERS)
                .toList();
        this.cuts = cuts(costs);
        this.wire = new double[cuts.length];
        for (int cut = 0; cut < cuts.length; cut++) {
            wire[cut] = wireBytes(costs, cuts[cut], compression);
        }
        this.seconds = new double[chosen.size()][cuts.length][cuts.length];
        fillSeconds();
    }

    /**
     * Returns the best division.
     *
     * @param compression the bytes of an activation in transit divided by its bytes in memory
     * @throws OnnxException if the workers have too little memory; the message has the needed memory and that of each
     *     worker
     */
    public static PipelinePlan plan(ModelCosts costs, List<WorkerSpeed> workers, double compression) {
        if (workers.isEmpty()) {
            throw new OnnxException("there is no worker to compute on");
        }
        return new Partitioner(costs, workers, compression).best();
    }

    /**
     * Divides a model into a number of stages with similar numbers of operations. Workers are used in their order,
     * starting again with the first after the last.
     *
     * @param compression see {@link #plan}
     * @throws OnnxException if the model does not have enough cuts
     */
    public static PipelinePlan even(ModelCosts costs, List<WorkerSpeed> workers, int stages, double compression) {
        double total = costs.cost(0, costs.size()).operations() + costs.size();
        List<StagePlan> plans = new ArrayList<>();
        int first = 0;
        for (int stage = 0; stage < stages; stage++) {
            boolean isLast = stage == stages - 1;
            int end = isLast ? costs.size() : evenEnd(costs, first, stage + 1, stages, total);
            WorkerSpeed worker = workers.get(stage % workers.size());
            WorkerSpeed next = isLast ? null : workers.get((stage + 1) % workers.size());
            double in = wireBytes(costs, first, compression);
            double out = wireBytes(costs, end, compression);
            plans.add(new StagePlan(
                    stage % workers.size(),
                    first,
                    end,
                    seconds(costs, worker, first, end),
                    worker.handlingSecondsPerByte() * (in + out),
                    passage(worker, next, out),
                    costs.weightBytes(first, end),
                    memory(costs, first, end),
                    Math.round(out)));
            first = end;
        }
        TransferCost inputTransfer = passage(null, workers.getFirst(), wireBytes(costs, 0, compression));
        return new PipelinePlan(plans, workers, inputTransfer);
    }

    private static double seconds(ModelCosts costs, WorkerSpeed worker, int first, int end) {
        double seconds = worker.callSeconds();
        for (int node = first; node < end; node++) {
            seconds += worker.seconds(costs.node(node));
        }
        return seconds;
    }

    /**
     * Returns the number of bytes of the values that cross a cut. Inputs and outputs of the model are not compressed.
     */
    private static double wireBytes(ModelCosts costs, int cut, double compression) {
        boolean isEnd = cut == 0 || cut == costs.size();
        return Math.max(0, costs.bytesAtCut(cut)) * (isEnd ? 1 : compression);
    }

    /** Returns the cost of a transfer between two workers; an empty worker means the client. */
    private static TransferCost passage(@Nullable WorkerSpeed from, @Nullable WorkerSpeed to, double bytes) {
        double slowest = Double.POSITIVE_INFINITY;
        double latency = 0;
        if (from != null) {
            WorkerSpeed.Link link = from.link();
            slowest = link.fromBytesPerSecond();
            latency += link.latencySeconds();
        }
        if (to != null) {
            WorkerSpeed.Link link = to.link();
            slowest = Math.min(slowest, link.toBytesPerSecond());
            latency += link.latencySeconds();
        }
        return new TransferCost(bytes / slowest, latency);
    }

    private static int evenEnd(ModelCosts costs, int first, int stage, int stages, double total) {
        double wanted = total * stage / stages;
        double until = costs.cost(0, first).operations() + first;
        int end = first;
        int possible = -1;
        while (end < costs.size() - (stages - stage) && (until < wanted || possible < 0)) {
            until += costs.node(end).operations() + 1;
            end++;
            possible = costs.canCut(end) ? end : possible;
        }
        if (possible <= first) {
            throw new OnnxException(
                    "the model has " + costs.size() + " nodes and cannot be cut into " + stages + " stages");
        }
        return possible;
    }

    /**
     * Returns the memory of a stage on a worker, in bytes: twice its weights, because they are copied while they are opened,
     * and the values that are alive while it runs.
     */
    public static long memory(ModelCosts costs, int first, int end) {
        return 2 * costs.weightBytes(first, end)
                + 2 * (costs.activationBytes(first, end) + Math.max(0, costs.bytesAtCut(end)));
    }

    /**
     * Returns both ends of the model and the possible cuts. If these are too many, only the cheapest cut of each of
     * several equal parts.
     */
    private static int[] cuts(ModelCosts costs) {
        List<Integer> possible = new ArrayList<>();
        for (int cut = 1; cut < costs.size(); cut++) {
            if (costs.canCut(cut)) {
                possible.add(cut);
            }
        }
        int room = MAX_CUTS - 2;
        List<Integer> kept = possible;
        if (possible.size() > room) {
            kept = new ArrayList<>();
            for (int part = 0; part < room; part++) {
                kept.add(Collections.min(
                        possible.subList(part * possible.size() / room, (part + 1) * possible.size() / room),
                        Comparator.comparingLong(costs::bytesAtCut)));
            }
        }
        return Stream.of(List.of(0), kept, List.of(costs.size()))
                .flatMap(List::stream)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private void fillSeconds() {
        for (int worker = 0; worker < chosen.size(); worker++) {
            WorkerSpeed speed = workers.get(chosen.get(worker));
            double[] until = new double[costs.size() + 1];
            for (int node = 0; node < costs.size(); node++) {
                until[node + 1] = until[node] + speed.seconds(costs.node(node));
            }
            for (int from = 0; from < cuts.length; from++) {
                for (int to = from + 1; to < cuts.length; to++) {
                    boolean fits = memory(costs, cuts[from], cuts[to]) <= speed.memoryBytes();
                    seconds[worker][from][to] =
                            fits ? speed.callSeconds() + until[cuts[to]] - until[cuts[from]] : Double.NaN;
                }
            }
        }
    }

    /** A partial division that ends at a cut. */
    private record Way(
            double bottleneck, double latency, @Nullable Way before, int worker, int from, int to) {
        boolean isBetterThan(@Nullable Way other) {
            return other == null
                    || bottleneck < other.bottleneck
                    || bottleneck == other.bottleneck && latency < other.latency;
        }
    }

    private PipelinePlan best() {
        int count = chosen.size();
        int last = cuts.length - 1;
        // Indices: the set of workers, the worker of the last stage, the cut.
        Way[][][] ways = new Way[1 << count][count][cuts.length];
        Way best = null;
        for (int worker = 0; worker < count; worker++) {
            TransferCost inputTransfer = transfer(-1, worker, 0);
            for (int to = 1; to <= last; to++) {
                double time = seconds[worker][0][to];
                if (!Double.isNaN(time)) {
                    double longest = Math.max(inputTransfer.linkSeconds(), time + handling(worker, 0, to));
                    ways[1 << worker][worker][to] =
                            new Way(longest, inputTransfer.seconds() + time, null, worker, 0, to);
                }
            }
        }
        for (int set = 1; set < ways.length; set++) {
            for (int at = 0; at < count; at++) {
                for (int cut = 1; cut <= last; cut++) {
                    Way way = ways[set][at][cut];
                    if (way == null) {
                        continue;
                    }
                    if (cut == last) {
                        TransferCost outputTransfer = transfer(at, -1, last);
                        double longest = Math.max(way.bottleneck, outputTransfer.linkSeconds());
                        Way whole = new Way(longest, way.latency + outputTransfer.seconds(), way, -1, last, last);
                        best = whole.isBetterThan(best) ? whole : best;
                    } else {
                        extend(ways, set, way, cut);
                    }
                }
            }
        }
        if (best == null) {
            throw refusal();
        }
        return plan(best);
    }

    private void extend(Way[][][] ways, int set, Way way, int cut) {
        for (int next = 0; next < chosen.size(); next++) {
            if ((set & 1 << next) != 0) {
                continue;
            }
            TransferCost transfers = transfer(way.worker, next, cut);
            for (int to = cut + 1; to < cuts.length; to++) {
                double time = seconds[next][cut][to];
                if (Double.isNaN(time)) {
                    // Longer stages need even more memory.
                    break;
                }
                double busy = time + handling(next, cut, to);
                Way longer = new Way(
                        Math.max(way.bottleneck, Math.max(transfers.linkSeconds(), busy)),
                        way.latency + transfers.seconds() + time,
                        way,
                        next,
                        cut,
                        to);
                Way[] there = ways[set | 1 << next][next];
                there[to] = longer.isBetterThan(there[to]) ? longer : there[to];
            }
        }
    }

    /** Returns the cost of a transfer from a worker to another one; -1 means the client. */
    private TransferCost transfer(int from, int to, int cut) {
        return passage(speed(from), speed(to), wire[cut]);
    }

    private @Nullable WorkerSpeed speed(int worker) {
        return worker < 0 ? null : workers.get(chosen.get(worker));
    }

    private double handling(int worker, int from, int to) {
        return workers.get(chosen.get(worker)).handlingSecondsPerByte() * (wire[from] + wire[to]);
    }

    private PipelinePlan plan(Way whole) {
        List<StagePlan> stages = new ArrayList<>();
        int next = -1;
        for (Way way = whole.before; way != null; way = way.before) {
            int first = cuts[way.from];
            int end = cuts[way.to];
            stages.addFirst(new StagePlan(
                    chosen.get(way.worker),
                    first,
                    end,
                    seconds[way.worker][way.from][way.to],
                    handling(way.worker, way.from, way.to),
                    transfer(way.worker, next, way.to),
                    costs.weightBytes(first, end),
                    memory(costs, first, end),
                    Math.round(wire[way.to])));
            next = way.worker;
        }
        return new PipelinePlan(stages, workers, transfer(-1, next, 0));
    }

    // ---- refusals

    private OnnxException refusal() {
        long needed = memory(costs, 0, costs.size());
        String each = workers.stream()
                .map(worker -> worker.name() + " has " + QuantityFormat.bytes(worker.memoryBytes()))
                .collect(Collectors.joining(", "));
        long largest = 0;
        for (int cut = 1; cut < cuts.length; cut++) {
            largest = Math.max(largest, memory(costs, cuts[cut - 1], cuts[cut]));
        }
        double share =
                (double) workers.stream().mapToLong(WorkerSpeed::memoryBytes).sum() / needed;
        String remedy = share >= 0.5
                ? "weights of half the size (float16) would fit"
                : share >= 0.25
                        ? "weights of a quarter of the size (int8) would fit"
                        : "no precision makes it fit: more workers are needed";
        return new OnnxException("the workers have too little memory: the model takes " + QuantityFormat.bytes(needed)
                + " on one, and its largest part that cannot be cut " + QuantityFormat.bytes(largest) + "; " + each
                + "; "
                + remedy);
    }
}
