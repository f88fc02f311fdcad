package dev.outpost.models.training;

/**
 * The result of an evaluation.
 *
 * @param step behind which it was made
 * @param loss the mean by weight
 * @param isBest whether no earlier one was as good
 */
public record Evaluation(long step, double loss, boolean isBest) {
    /** e to the loss: between how many tokens the model is undecided. */
    public double perplexity() {
        return Math.exp(loss);
    }
}
