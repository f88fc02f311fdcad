package dev.outpost.bench.peers.contestant;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Outpost, on a machine in another process. */
public final class OutpostContestant implements Contestant {
    private final String name;
    private final RemoteMachine machine;
    private final Variant.Step step;
    private final Deque<List<List<Tensor>>> loaded = new ArrayDeque<>();
    private final List<Tensor> used = new ArrayList<>();
    private final List<Looked> results = new ArrayList<>();

    /** @param machine a separate session, closed with this contestant, so that garbage of one does not delay another one */
    public OutpostContestant(Workload workload, RemoteMachine machine, Variant variant) {
        this(variant.toString(), workload, machine, variant);
    }

    /**
     * Makes a contestant like {@link #OutpostContestant(Workload, RemoteMachine, Variant)}, with another name than the
     * variant's.
     */
    public OutpostContestant(String name, Workload workload, RemoteMachine machine, Variant variant) {
        this.name = name;
        this.machine = machine;
        this.step = variant.of(machine, workload.ours(machine));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void load(List<List<HostTensor>> steps) {
        Map<List<HostTensor>, List<Tensor>> batches = new IdentityHashMap<>();
        loaded.add(steps.stream()
                .map(step -> batches.computeIfAbsent(
                        step, inputs -> inputs.stream().map(machine::tensor).toList()))
                .toList());
        machine.synchronize();
    }

    @Override
    public double run() {
        closeResults();
        List<List<Tensor>> inputs = loaded.remove();
        inputs.forEach(used::addAll);
        long start = System.nanoTime();
        for (List<Tensor> each : inputs) {
            results.add(step.run(each));
        }
        awaitAll();
        return (System.nanoTime() - start) / 1e6;
    }

    /** Waits once for all results. */
    private void awaitAll() {
        if (results.size() == 1) {
            results.getFirst().seen().toHost();
            return;
        }
        List<CompletableFuture<HostTensor>> coming =
                results.stream().map(each -> each.seen().fetch()).toList();
        coming.forEach(CompletableFuture::join);
    }

    @Override
    public float[] results() {
        return Floats.concat(
                results.stream().map(each -> each.result().toFloatArray()).toList());
    }

    @Override
    public void clear() {
        closeResults();
        used.forEach(Tensor::close);
        used.clear();
    }

    private void closeResults() {
        results.forEach(Looked::close);
        results.clear();
    }

    @Override
    public void close() {
        clear();
        machine.close();
    }
}
