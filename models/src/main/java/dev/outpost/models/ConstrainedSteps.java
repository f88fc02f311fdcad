package dev.outpost.models;

import dev.outpost.HostTensor;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One text under a constraint, in a batch of its own. */
final class ConstrainedSteps implements TokenSteps {
    private final DecodeBatch batch;
    private final Sampling sampling;
    private final TokenConstraint constraint;

    ConstrainedSteps(DecodeBatch batch, Sampling sampling, TokenConstraint constraint) {
        this.batch = batch;
        this.sampling = sampling;
        this.constraint = constraint;
    }

    @Override
    public CompletableFuture<HostTensor> begin(List<int[]> prompts, int most, long seed) {
        batch.join(prompts.getFirst(), sampling, constraint);
        return next();
    }

    @Override
    public CompletableFuture<HostTensor> next() {
        return batch.step().ids();
    }

    @Override
    public void end() {
        batch.close();
    }
}
