package dev.outpost.models.training.metrics;

import dev.outpost.models.plot.Chart;
import dev.outpost.models.plot.MetricsTable;
import dev.outpost.models.training.Evaluation;
import dev.outpost.models.training.TrainingListener;
import dev.outpost.models.training.TrainingSummary;
import java.nio.file.Path;

/**
 * Draws {@code loss.png} from the files of {@link TrainingMetrics} in the same folder, after each evaluation and at the end of
 * training. Register it after {@link TrainingMetrics}. Needs XChart on the class path and the module {@code java.desktop}, but
 * no screen.
 */
public final class LossCurve implements TrainingListener {
    /** The name of the picture. */
    public static final String FILE = "loss.png";

    private final Path folder;

    /** @param folder the folder with the files of {@link TrainingMetrics} */
    public LossCurve(Path folder) {
        this.folder = folder;
    }

    @Override
    public void evaluated(Evaluation evaluation) {
        draw();
    }

    @Override
    public void ended(TrainingSummary summary) {
        draw();
    }

    private void draw() {
        MetricsTable table = MetricsTable.read(folder);
        Chart chart = new Chart("Loss", "step", "loss (nats)");
        table.series(TrainingMetrics.LOSS).ifPresent(points -> chart.add("training", points));
        table.series(TrainingMetrics.EVALUATION_LOSS).ifPresent(points -> chart.add("evaluation", points));
        if (!chart.isEmpty()) {
            chart.save(folder.resolve(FILE));
        }
    }
}
