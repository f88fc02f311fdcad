package dev.outpost.models.training.metrics;

import dev.outpost.models.training.Evaluation;
import dev.outpost.models.training.TrainingListener;
import dev.outpost.models.training.TrainingSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws {@code loss.png} from the files of {@link MetricsFiles} in the same folder, after each evaluation and at the end of
 * training. Register it after {@link MetricsFiles}. Needs XChart on the class path and the module {@code java.desktop}, but
 * no screen.
 */
public final class LossCurve implements TrainingListener {
    /** The name of the picture. */
    public static final String FILE = "loss.png";

    private static final int WIDTH = 900;
    private static final int HEIGHT = 500;

    private final Path folder;

    /** @param folder the folder with the files of {@link MetricsFiles} */
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
        List<double[]> steps = MetricsFiles.read(folder, "step", "loss");
        List<double[]> evaluations = MetricsFiles.read(folder, "evaluation", "loss");
        if (steps.isEmpty()) {
            return;
        }
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .xAxisTitle("step")
                .yAxisTitle("loss")
                .build();
        add(chart, "training", steps).setMarker(SeriesMarkers.NONE);
        if (!evaluations.isEmpty()) {
            add(chart, "evaluation", evaluations).setMarker(SeriesMarkers.CIRCLE);
        }
        try {
            Files.write(folder.resolve(FILE), ChartEncoder.getBytes(chart, "png"));
        } catch (IOException failure) {
            throw new UncheckedIOException("metrics: " + folder.resolve(FILE) + " cannot be written", failure);
        }
    }

    private static XYSeries add(XYChart chart, String name, List<double[]> points) {
        return chart.addSeries(
                name,
                points.stream().mapToDouble(point -> point[0]).toArray(),
                points.stream().mapToDouble(point -> point[1]).toArray());
    }
}
