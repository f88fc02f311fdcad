package dev.outpost.backend.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A line chart, as SVG text. */
final class SvgChart {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 360;
    private static final int LEFT = 70;
    private static final int TOP = 40;
    private static final int RIGHT = 140;
    private static final int BOTTOM = 50;
    private static final int MARKS = 5;
    private static final int LEGEND_STEP = 20;
    private static final List<String> COLOURS =
            List.of("#0550ae", "#b35900", "#116329", "#a40e26", "#6639ba", "#57606a");

    private final String title;
    private final String across;
    private final String upwards;
    private final List<Line> lines = new ArrayList<>();

    /** A line whose points have ascending x. */
    record Line(String name, List<Point> points) {}

    record Point(double x, double y) {}

    /** @param across the label of the x axis, with its unit */
    SvgChart(String title, String across, String upwards) {
        this.title = title;
        this.across = across;
        this.upwards = upwards;
    }

    SvgChart line(String name, List<Point> points) {
        lines.add(new Line(name, List.copyOf(points)));
        return this;
    }

    String text() {
        double stepX = step(most(true));
        double stepY = step(most(false));
        double maxX = stepX * Math.ceil(most(true) / stepX);
        double maxY = stepY * Math.ceil(most(false) / stepY);
        StringBuilder svg = new StringBuilder(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
                                .formatted(WIDTH, HEIGHT))
                .append(" font-family=\"sans-serif\" font-size=\"13\"><title>")
                .append(escape(title))
                .append("</title><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n")
                .append(label(LEFT, TOP - 18, "start", title + ", " + upwards));
        for (int mark = 0; mark * stepX <= maxX; mark++) {
            double x = mark * stepX;
            svg.append(label(x(x, maxX), HEIGHT - BOTTOM + 18, "middle", figure(x)));
        }
        for (int mark = 0; mark * stepY <= maxY; mark++) {
            double y = mark * stepY;
            svg.append(label(LEFT - 8, y(y, maxY) + 4, "end", figure(y)))
                    .append("<path d=\"M%d %.1fH%d\" stroke=\"#d0d7de\"/>\n"
                            .formatted(LEFT, y(y, maxY), WIDTH - RIGHT));
        }
        svg.append(label((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, "middle", across));
        for (int i = 0; i < lines.size(); i++) {
            svg.append(path(lines.get(i), COLOURS.get(i % COLOURS.size()), maxX, maxY))
                    .append("<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>"
                            .formatted(WIDTH - RIGHT + 12, TOP + i * LEGEND_STEP, COLOURS.get(i % COLOURS.size())))
                    .append(label(
                            WIDTH - RIGHT + 32,
                            TOP + i * LEGEND_STEP + 6,
                            "start",
                            lines.get(i).name()));
        }
        return svg.append("</svg>\n").toString();
    }

    private double most(boolean isX) {
        double max = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(point -> isX ? point.x() : point.y())
                .max()
                .orElse(1);
        return max > 0 ? max : 1;
    }

    /** Returns the distance of marks: 1, 2 or 5 times a power of ten, so that there are about {@link #MARKS} marks. */
    private static double step(double max) {
        double power = Math.pow(10, Math.floor(Math.log10(max / MARKS)));
        double digits = max / MARKS / power;
        return power * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10);
    }

    private static String path(Line line, String colour, double maxX, double maxY) {
        StringBuilder path = new StringBuilder();
        line.points()
                .forEach(point -> path.append(path.isEmpty() ? 'M' : 'L')
                        .append(String.format(Locale.ROOT, "%.1f %.1f", x(point.x(), maxX), y(point.y(), maxY))));
        return "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n".formatted(path, colour);
    }

    private static double x(double value, double max) {
        return LEFT + value / max * (WIDTH - LEFT - RIGHT);
    }

    private static double y(double value, double max) {
        return HEIGHT - BOTTOM - value / max * (HEIGHT - TOP - BOTTOM);
    }

    private static String label(double x, double y, String anchor, String text) {
        return String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#1b1f24\">%s</text>\n",
                x,
                y,
                anchor,
                escape(text));
    }

    private static String figure(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.1f", value);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
