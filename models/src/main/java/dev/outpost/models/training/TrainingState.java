package dev.outpost.models.training;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.Generator;
import java.util.List;
import java.util.Map;

/**
 * The state of a training run except tensors: the JSON of a checkpoint.
 *
 * @param version version of this format
 * @param step number of steps that are done
 * @param tensors the names of all tensors; a checkpoint without one of them is incomplete
 * @param optimizer the numbers in the state of the optimizer
 * @param scheduleSteps number of steps of the learning rate schedule
 * @param scaler the state of the loss scaler; empty if losses are not scaled
 * @param data the position in the data
 * @param seed the seed of the machine's random stream
 * @param draws number of draws from the stream
 * @param loss the loss of the last step
 * @param evaluated the loss of the evaluation at this step; null without one
 * @param bestLoss the best loss of all evaluations; null without one
 * @param bestStep the step of the best evaluation
 * @param misses number of evaluations in a row without an improvement
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record TrainingState(
        int version,
        long step,
        List<String> tensors,
        Map<String, Double> optimizer,
        long scheduleSteps,
        Map<String, Double> scaler,
        Map<String, Long> data,
        long seed,
        long draws,
        Double loss,
        Double evaluated,
        Double bestLoss,
        long bestStep,
        int misses) {
    static final int VERSION = 1;

    Generator.State random() {
        return new Generator.State(seed, draws);
    }
}
