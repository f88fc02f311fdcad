package dev.outpost.models.training;

/**
 * The result of an evaluation.
 *
 * @param step the step after which the evaluation ran
 * @param loss the weighted mean loss
 * @param isBest true if no earlier evaluation was as good
 */
public record Evaluation(long step, double loss, boolean isBest) {
    /** Returns e to the power of the loss: the number of tokens among which the model is undecided. */
    public double perplexity() {
        return Math.exp(loss);
    }
}
