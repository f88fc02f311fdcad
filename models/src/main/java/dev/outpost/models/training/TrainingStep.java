package dev.outpost.models.training;

/**
 * The report of a step.
 *
 * @param step from 1
 * @param epoch how many epochs had passed behind it
 * @param loss the mean, by weight, of the batches that its gradient is of
 * @param gradientNorm before gradients were clipped; NaN where they are not
 * @param learningRate of the first group of parameters
 * @param size how much the batches had, such as tokens
 * @param seconds since training began, or went on
 * @param rate size a second, over the last steps
 * @param secondsLeft at that rate
 */
public record TrainingStep(
        long step,
        double epoch,
        double loss,
        double gradientNorm,
        double learningRate,
        long size,
        double seconds,
        double rate,
        double secondsLeft) {}
