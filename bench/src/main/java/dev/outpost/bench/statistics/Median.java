package dev.outpost.bench.statistics;

import java.util.ArrayList;
import java.util.List;

/** The median of repeated measurements, because other load on the host spoils single ones. */
public final class Median {
    private final List<Double> samples = new ArrayList<>();

    public Median() {}

    public void add(double sample) {
        samples.add(sample);
    }

    public double value() {
        List<Double> sorted = samples.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
