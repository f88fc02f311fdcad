package dev.outpost.models.plot;

import java.io.IOException;
import java.util.List;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws a chart as PNG by XChart. */
final class PngChart {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 500;
    /** The number of points up to which each is marked. */
    private static final int MARKED_POINTS = 30;

    private PngChart() {}

    static byte[] draw(Chart chart) throws IOException {
        XYChart drawn = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(chart.title())
                .xAxisTitle(chart.horizontal())
                .yAxisTitle(chart.vertical())
                .build();
        Ticks vertical = chart.ticks(1, 8);
        Ticks horizontal = chart.ticks(0, 10);
        drawn.getStyler().setYAxisMin(vertical.min()).setYAxisMax(vertical.max());
        drawn.getStyler().setXAxisMin(horizontal.min()).setXAxisMax(horizontal.max());
        drawn.getStyler().setXAxisTickLabelsFormattingFunction(horizontal::text);
        drawn.getStyler().setYAxisTickLabelsFormattingFunction(vertical::text);
        drawn.getStyler().setLegendVisible(chart.series().size() > 1);
        chart.series().forEach((name, points) -> add(drawn, name, points));
        return ChartEncoder.getBytes(drawn, "png");
    }

    private static void add(XYChart chart, String name, List<double[]> points) {
        XYSeries series = chart.addSeries(
                name,
                points.stream().mapToDouble(point -> point[0]).toArray(),
                points.stream().mapToDouble(point -> point[1]).toArray());
        series.setMarker(points.size() > MARKED_POINTS ? SeriesMarkers.NONE : SeriesMarkers.CIRCLE);
    }
}
