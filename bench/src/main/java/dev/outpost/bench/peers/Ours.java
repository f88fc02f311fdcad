package dev.outpost.bench.peers;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Outpost, on a machine in another process. */
public final class Ours implements Contestant {
    private final String name;
    private final RemoteMachine machine;
    private final Computation computation;
    private final Deque<List<List<Tensor>>> loaded = new ArrayDeque<>();
    private final List<Tensor> used = new ArrayList<>();
    private final List<Tensor> results = new ArrayList<>();

    /** @param machine a session of its own, closed with it: what one leaves to the collector is not to be another's wait */
    public Ours(Workload workload, RemoteMachine machine, Variant variant) {
        this(variant.toString(), workload, machine, variant);
    }

    /** As {@link #Ours(Workload, RemoteMachine, Variant)} under another name than the variant's. */
    public Ours(String name, Workload workload, RemoteMachine machine, Variant variant) {
        this.name = name;
        this.machine = machine;
        this.computation = variant.of(machine, workload.ours(machine));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void load(List<List<HostTensor>> steps) {
        loaded.add(steps.stream()
                .map(step -> step.stream().map(machine::tensor).toList())
                .toList());
        machine.synchronize();
    }

    @Override
    public double run() {
        closeResults();
        List<List<Tensor>> steps = loaded.remove();
        steps.forEach(used::addAll);
        long start = System.nanoTime();
        for (List<Tensor> step : steps) {
            results.add(computation.step(step));
        }
        look();
        return (System.nanoTime() - start) / 1e6;
    }

    /** One wait for all. */
    private void look() {
        List<Tensor> looks = results.stream()
                .map(result -> result.numel() > LOOK ? result.sum() : result)
                .toList();
        List<CompletableFuture<HostTensor>> coming =
                looks.stream().map(Tensor::fetch).toList();
        coming.forEach(CompletableFuture::join);
    }

    @Override
    public float[] results() {
        return Floats.concat(results.stream().map(Tensor::toFloatArray).toList());
    }

    @Override
    public void clear() {
        closeResults();
        used.forEach(Tensor::close);
        used.clear();
    }

    private void closeResults() {
        results.forEach(Tensor::close);
        results.clear();
    }

    @Override
    public void close() {
        clear();
        machine.close();
    }
}
