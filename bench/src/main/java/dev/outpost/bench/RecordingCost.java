package dev.outpost.bench;

import java.util.HashMap;
import java.util.Map;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The cost of recording an op, measured by {@link RecordBenchmark}.
 *
 * @param plainNanos nanoseconds for an op
 * @param autogradNanos nanoseconds for an op with the graph for autograd
 */
record RecordingCost(double plainNanos, double autogradNanos) {

    static RecordingCost measure() throws RunnerException {
        Map<String, Double> scores = new HashMap<>();
        for (RunResult run : new Runner(new OptionsBuilder()
                        .include(RecordBenchmark.class.getName())
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run()) {
            Result<?> result = run.getPrimaryResult();
            scores.put(result.getLabel(), result.getScore());
        }
        return new RecordingCost(scores.get("record"), scores.get("recordAutograd"));
    }
}
