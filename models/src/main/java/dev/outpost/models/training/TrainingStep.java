package dev.outpost.models.training;

/**
 * The report of a step.
 *
 * @param step number of the step, from 1
 * @param epoch number of epochs that had passed after it
 * @param loss the weighted mean loss of the batches of this step
 * @param gradientNorm the norm of the gradients before clipping; NaN if they are not clipped
 * @param learningRate the learning rate of the first group of parameters
 * @param size the size of the batches, for example in tokens
 * @param seconds seconds since training started or resumed
 * @param rate size per second, over the last steps; NaN until enough steps were measured
 * @param secondsLeft estimated seconds to the end at that rate; NaN until then
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
