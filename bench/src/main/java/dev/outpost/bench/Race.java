package dev.outpost.bench;

import dev.outpost.HostTensor;
import dev.outpost.bench.peers.Disagreement;
import dev.outpost.bench.peers.ResultAgreement;
import dev.outpost.bench.peers.contestant.Contestant;
import dev.outpost.bench.peers.contestant.RandomValues;
import dev.outpost.bench.peers.contestant.Workload;
import dev.outpost.bench.statistics.Median;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Measures contestants with one workload alternately, because the host's own speed changes during the measurement. */
final class Race implements AutoCloseable {
    private static final long SEED = 11;

    /**
     * A rest before each turn. The threads of a BLAS or of OpenMP spin for up to 100 ms in the hope of more work, and would
     * slow the next contestant down to a tenth, because its threads wait for each other.
     */
    private static final long REST_MILLIS = 150;

    /**
     * Number of consecutive timed runs. With one, a cost in every second run, such as that of a collector, could hide in the
     * untimed one.
     */
    private static final int TIMED_RUNS = 2;

    private final Workload workload;
    private final List<Contestant> contestants;
    private final RandomValues values = new RandomValues(SEED);
    private int turn;

    /** @param contestants the results of the others are compared with those of the first; all are closed with the race */
    Race(Workload workload, List<Contestant> contestants) {
        this.workload = workload;
        this.contestants = contestants;
    }

    /**
     * Throws {@link Disagreement} unless all compute the same from the same inputs. Call it first, while all have their
     * initial weights.
     */
    void requireAgreement() {
        List<List<HostTensor>> inputs = inputs();
        Contestant trusted = contestants.getFirst();
        float[] expected = results(trusted, inputs);
        for (Contestant other : contestants.subList(1, contestants.size())) {
            new ResultAgreement(workload).require(trusted.name(), expected, other.name(), results(other, inputs));
        }
    }

    private static float[] results(Contestant contestant, List<List<HostTensor>> inputs) {
        contestant.load(inputs);
        contestant.run();
        float[] results = contestant.results();
        contestant.clear();
        return results;
    }

    /** Returns the median time of a step of each contestant, in milliseconds. */
    Map<Contestant, Double> run(WarmUp warmUp, int repetitions) {
        contestants.forEach(contestant -> warmUp(contestant, warmUp));
        Map<Contestant, Median> times = new LinkedHashMap<>();
        contestants.forEach(contestant -> times.put(contestant, new Median()));
        for (int repetition = 0; repetition < repetitions; repetition++) {
            repeat(times);
        }
        Map<Contestant, Double> medians = new LinkedHashMap<>();
        times.forEach((contestant, median) -> medians.put(contestant, median.value() / workload.steps()));
        return medians;
    }

    /**
     * Runs a contestant alone and without rests until it gets no faster, so that JIT compilation and the set-up of libraries
     * are done before the timed runs. All runs have the same inputs, because new ones would take most of the time; only
     * training gets new ones, because its gradients would vanish.
     */
    private void warmUp(Contestant contestant, WarmUp warmUp) {
        List<List<HostTensor>> inputs = inputs();
        Settling settling = new Settling(warmUp);
        while (!settling.isOver()) {
            contestant.load(workload.weights().isEmpty() ? inputs : inputs());
            settling.add(contestant.run());
            contestant.clear();
        }
    }

    /**
     * Runs all contestants with the same fresh inputs; the first one changes in each repetition. Each has an untimed run
     * directly before the timed ones. The first run after the others have used caches and processors, and after a rest of 150
     * ms, would measure the host more than the contestant.
     */
    private void repeat(Map<Contestant, Median> times) {
        List<List<List<HostTensor>>> runs =
                Stream.generate(this::inputs).limit(1 + TIMED_RUNS).toList();
        List<Contestant> order = new ArrayList<>(contestants);
        Collections.rotate(order, turn++);
        for (Contestant contestant : order) {
            runs.forEach(contestant::load);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(REST_MILLIS));
            contestant.run();
            for (int run = 0; run < TIMED_RUNS; run++) {
                times.get(contestant).add(contestant.run());
            }
            contestant.clear();
        }
    }

    private List<List<HostTensor>> inputs() {
        List<List<HostTensor>> batches = Stream.generate(() -> workload.inputs(values))
                .limit(workload.batches())
                .toList();
        return IntStream.range(0, workload.steps())
                .mapToObj(step -> batches.get(step % batches.size()))
                .toList();
    }

    @Override
    public void close() {
        contestants.forEach(Contestant::close);
    }
}
