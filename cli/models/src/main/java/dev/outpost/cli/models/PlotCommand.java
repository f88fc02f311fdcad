package dev.outpost.cli.models;

import dev.outpost.models.plot.Chart;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Draws the metrics of runs in the terminal, or as pictures. */
@Command(name = "plot", description = "Draw the metrics of runs, here or as PNG and SVG; docs/data.md.")
final class PlotCommand implements Callable<Integer> {
    private static final int ROWS = 16;

    @Parameters(paramLabel = "DIR", description = "A folder of a run, or a folder of such folders.")
    private Path folder;

    @Option(names = "--png", paramLabel = "DIR", description = "Write a PNG file for each chart to this folder.")
    private Path png;

    @Option(names = "--svg", paramLabel = "DIR", description = "Write an SVG file for each chart to this folder.")
    private Path svg;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<Chart> charts = Chart.of(folder);
        for (Chart chart : charts) {
            if (png == null && svg == null) {
                out.println(chart.text(spec.usageMessage().width(), ROWS));
            } else if (!chart.isEmpty()) {
                write(chart, png, ".png", out);
                write(chart, svg, ".svg", out);
            }
        }
        out.flush();
        return 0;
    }

    private static void write(Chart chart, Path target, String extension, PrintWriter out) {
        if (target != null) {
            Path file = target.resolve(chart.fileName() + extension);
            chart.save(file);
            out.println(file);
        }
    }
}
