package dev.outpost.models.plot;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Draws a chart as SVG. */
final class SvgDrawing {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 500;
    private static final int LEFT = 90;
    private static final int RIGHT = 30;
    private static final int TOP = 50;
    private static final int BOTTOM = 60;
    private static final int LEGEND_LINE = 18;
    /** Colours that people with colour blindness can tell apart (Okabe and Ito). */
    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000");

    private final StringBuilder svg = new StringBuilder();
    private final Chart chart;
    private final Ticks horizontal;
    private final Ticks vertical;

    private SvgDrawing(Chart chart) {
        this.chart = chart;
        horizontal = chart.ticks(0, 10);
        vertical = chart.ticks(1, 8);
    }

    static String draw(Chart chart) {
        return new SvgDrawing(chart).draw();
    }

    private String draw() {
        svg.append(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"sans-serif\" "
                        + "font-size=\"13\">%n<title>%s</title>%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH, HEIGHT, escaped(chart.title())));
        text(WIDTH / 2.0, 28, "middle", "font-size=\"18\"", chart.title());
        text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", "", chart.horizontal());
        double middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        text(22, middle, "middle", format("transform=\"rotate(-90 22 %.1f)\"", middle), chart.vertical());
        for (double tick : vertical.values()) {
            line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "#dddddd");
            text(LEFT - 8, y(tick) + 4, "end", "", vertical.text(tick));
        }
        for (double tick : horizontal.values()) {
            line(x(tick), HEIGHT - BOTTOM, x(tick), HEIGHT - BOTTOM + 5, "#666666");
            text(x(tick), HEIGHT - BOTTOM + 20, "middle", "", horizontal.text(tick));
        }
        line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "#666666");
        int number = 0;
        for (Map.Entry<String, List<double[]>> entry : chart.series().entrySet()) {
            series(entry.getKey(), entry.getValue(), number++);
        }
        return svg.append("</svg>\n").toString();
    }

    private void series(String name, List<double[]> points, int number) {
        String colour = COLOURS.get(number % COLOURS.size());
        String places = points.stream()
                .map(point -> format("%.1f,%.1f", x(point[0]), y(point[1])))
                .collect(Collectors.joining(" "));
        svg.append(
                format("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>%n", colour, places));
        if (points.size() == 1) {
            svg.append(format(
                    "<circle cx=\"%s\" cy=\"%s\" r=\"3\" fill=\"%s\"/>%n",
                    places.split(",")[0], places.split(",")[1], colour));
        }
        if (chart.series().size() > 1) {
            double at = TOP + 10.0 + number * LEGEND_LINE;
            line(WIDTH - RIGHT - 30, at - 4, WIDTH - RIGHT - 8, at - 4, colour);
            text(WIDTH - RIGHT - 36, at, "end", "", name);
        }
    }

    private double x(double value) {
        return LEFT + horizontal.place(value) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - vertical.place(value) * (HEIGHT - TOP - BOTTOM);
    }

    private void line(double fromX, double fromY, double toX, double toY, String colour) {
        svg.append(format(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n",
                fromX, fromY, toX, toY, colour));
    }

    private void text(double x, double y, String anchor, String more, String text) {
        svg.append(format(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>%n", x, y, anchor, more, escaped(text)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern.replace("%n", "\n"), values);
    }
}
