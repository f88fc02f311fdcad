package dev.outpost.models.training;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.Generator;
import java.util.List;
import java.util.Map;

/**
 * All of a training run that is no tensor: the text of a checkpoint.
 *
 * @param version of this form
 * @param step how many were made
 * @param tensors the names of all tensors; a checkpoint that lacks one is not whole
 * @param optimizer its numbers
 * @param scheduleSteps how often the schedule went on
 * @param scaler numbers of the scaling of losses; empty without
 * @param data where the data stand
 * @param seed of the machine's random stream
 * @param draws how many the stream has given
 * @param loss of the last step
 * @param evaluated by the evaluation of this step; null where there was none
 * @param bestLoss of all evaluations; null where there was none
 * @param bestStep behind which the best was made
 * @param misses evaluations in a row that were no better
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
