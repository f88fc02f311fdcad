package dev.outpost.onnx.plan;

import java.util.List;
import java.util.Locale;

/**
 * A division of a model. Immutable.
 *
 * @param stages the stages in the order in which a batch passes them
 * @param workers all considered workers
 * @param inputTransfer the transfer of the inputs to the first stage
 */
public record PipelinePlan(List<StagePlan> stages, List<WorkerSpeed> workers, TransferCost inputTransfer) {
    private static final int BAR = 40;

    public PipelinePlan {
        stages = List.copyOf(stages);
        workers = List.copyOf(workers);
    }

    /** Returns the maximum time for which a computation or transfer of one batch delays the next batch. */
    public double bottleneckSeconds() {
        double max = inputTransfer.linkSeconds();
        for (StagePlan stage : stages) {
            max = Math.max(max, Math.max(stage.busySeconds(), stage.transfer().linkSeconds()));
        }
        return max;
    }

    /** Returns the time of one batch from end to end. */
    public double latencySeconds() {
        double sum = inputTransfer.seconds();
        for (StagePlan stage : stages) {
            sum += stage.seconds() + stage.transfer().seconds();
        }
        return sum;
    }

    /** Returns the plan as a table and a drawing. */
    public String explain() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%-20s %-12s %10s %10s %10s %10s %10s%n",
                "worker",
                "nodes",
                "weights",
                "memory",
                "free",
                "compute",
                "send"));
        for (StagePlan stage : stages) {
            WorkerSpeed worker = workers.get(stage.worker());
            text.append(String.format(
                    Locale.ROOT,
                    "%-20s %-12s %10s %10s %10s %10s %10s%n",
                    worker.name(),
                    stage.first() + ".." + (stage.end() - 1),
                    QuantityFormat.bytes(stage.weightBytes()),
                    QuantityFormat.bytes(stage.memoryBytes()),
                    worker.memoryBytes() == WorkerSpeed.UNKNOWN_BYTES
                            ? "unknown"
                            : QuantityFormat.bytes(worker.memoryBytes()),
                    QuantityFormat.seconds(stage.busySeconds()),
                    QuantityFormat.seconds(stage.transfer().seconds())));
        }
        text.append(System.lineSeparator());
        double longest = bottleneckSeconds();
        text.append(bar("client", 0, inputTransfer.seconds(), longest));
        for (StagePlan stage : stages) {
            text.append(bar(
                    workers.get(stage.worker()).name(),
                    stage.busySeconds(),
                    stage.transfer().seconds(),
                    longest));
        }
        return text.append(System.lineSeparator())
                .append(String.format(
                        Locale.ROOT,
                        "a batch every %s, %s from end to end; # computes, > sends%n",
                        QuantityFormat.seconds(longest),
                        QuantityFormat.seconds(latencySeconds())))
                .toString();
    }

    private static String bar(String name, double computes, double sends, double longest) {
        int first = (int) Math.round(BAR * computes / longest);
        int second = (int) Math.round(BAR * sends / longest);
        return String.format("%-20s %s%s%n", name, "#".repeat(first), ">".repeat(second));
    }
}
