package dev.outpost.models.pipeline;

import dev.outpost.PeerLinks;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.pipeline.LayerDivision.Part;
import dev.outpost.types.DType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The stages of a decoder on machines that are connected with each other. It is replaced when one of the machines is lost.
 */
final class StageDeployment implements AutoCloseable {
    private final List<StageMachine> machines;
    private final List<DecoderStage> stages;
    private final Optional<PeerLinks> links;
    private long prepared;
    private boolean isPreparedLong;

    private StageDeployment(List<StageMachine> machines, List<DecoderStage> stages, Optional<PeerLinks> links) {
        this.machines = machines;
        this.stages = stages;
        this.links = links;
    }

    /**
     * Makes all machines load their layers in parallel, and connects them. Waits for the machines.
     *
     * @param timeout the maximum time that a machine waits for the results of another one
     */
    static StageDeployment open(
            String uri,
            ModelConfig config,
            DType dtype,
            long textTokens,
            List<StageMachine> all,
            List<Part> parts,
            Duration timeout) {
        List<StageMachine> machines =
                parts.stream().map(part -> all.get(part.worker())).toList();
        List<DecoderStage> stages = new ArrayList<>();
        boolean isDone = false;
        try {
            load(uri, config, dtype, textTokens, machines, parts, stages);
            Optional<PeerLinks> links = stages.size() == 1
                    ? Optional.empty()
                    : Optional.of(PeerLinks.open(
                            machines.stream().map(StageMachine::machine).toList(),
                            machines.stream().map(StageMachine::host).toList(),
                            timeout));
            isDone = true;
            return new StageDeployment(machines, List.copyOf(stages), links);
        } finally {
            if (!isDone) {
                stages.forEach(DecoderStage::close);
            }
        }
    }

    /** @param stages receives the loaded stages, even if another one fails */
    private static void load(
            String uri,
            ModelConfig config,
            DType dtype,
            long textTokens,
            List<StageMachine> machines,
            List<Part> parts,
            List<DecoderStage> stages) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<DecoderStage>> loading = new ArrayList<>();
            for (int place = 0; place < parts.size(); place++) {
                Part part = parts.get(place);
                StageMachine machine = machines.get(place);
                loading.add(CompletableFuture.supplyAsync(
                        () -> DecoderStage.load(
                                machine.machine().open(uri), config, dtype, part.first(), part.end(), textTokens),
                        threads));
            }
            CompletableFuture.allOf(loading.toArray(CompletableFuture[]::new))
                    .handle((nothing, problem) -> null)
                    .join();
            loading.stream()
                    .filter(each -> each.state() == Future.State.SUCCESS)
                    .forEach(each -> stages.add(each.join()));
            loading.forEach(CompletableFuture::join);
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException told ? told : failure;
        }
    }

    List<StageMachine> machines() {
        return machines;
    }

    List<DecoderStage> stages() {
        return stages;
    }

    Optional<PeerLinks> links() {
        return links;
    }

    /** Makes the tables that depend on positions, unless they cover {@code positions} already. */
    void prepare(long positions, boolean isLong) {
        if (positions > prepared || isLong != isPreparedLong) {
            long max = Math.max(positions, prepared);
            stages.forEach(stage -> stage.prepare(max, isLong));
            prepared = max;
            isPreparedLong = isLong;
        }
    }

    /** Ends the exchanges between the machines, and releases weights and caches. */
    @Override
    public void close() {
        links.ifPresent(PeerLinks::close);
        stages.forEach(DecoderStage::close);
    }
}
