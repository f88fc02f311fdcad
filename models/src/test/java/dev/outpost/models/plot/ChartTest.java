package dev.outpost.models.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.metrics.Metrics;
import dev.outpost.types.OutpostException;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

@Tag("quick")
class ChartTest {
    @TempDir
    private Path folder;

    @Test
    void ticksAreRoundNumbers() {
        assertEquals(
                List.of(0.0, 0.5, 1.0, 1.5, 2.0, 2.5),
                Ticks.of(0.03, 2.3, 6, false).values());
        assertEquals(
                List.of(-20.0, 0.0, 20.0, 40.0), Ticks.of(-13, 35, 5, false).values());
        assertEquals(List.of(1.0, 2.0, 3.0), Ticks.of(1, 3, 10, true).values());
        assertEquals(
                List.of(100.0, 200.0, 300.0, 400.0), Ticks.of(1, 400, 6, true).values());
        assertTrue(Ticks.of(5, 5, 6, false).values().size() > 1, "a constant");
        assertTrue(Ticks.of(0, 0, 6, false).values().size() > 1, "zeros");
        assertEquals("0.5", Ticks.of(0, 1, 5, false).text(0.5));
        assertEquals("5e-5", Ticks.of(0, 1e-4, 3, false).text(5e-5));
        assertEquals("1e-4", Ticks.of(0, 1e-4, 3, false).text(1e-4));
        assertEquals("2e6", Ticks.of(0, 2e6, 3, false).text(2e6));
        assertEquals("400", Ticks.of(1, 400, 6, true).text(400));
    }

    @Test
    void textHasTitleTicksAndCurve() {
        Chart chart = new Chart("Loss", "step", "loss").add("train", line());
        String text = chart.text(60, 12);
        assertTrue(text.startsWith("Loss\n"), text);
        assertTrue(text.contains("10 │"), text);
        assertTrue(text.contains(" 0 │"), text);
        assertTrue(text.chars().anyMatch(next -> next > '\u2800' && next < '\u2900'), text);
        assertTrue(text.lines().allMatch(line -> line.length() <= 60), text);
        assertTrue(text.contains("step"), text);
    }

    @Test
    void severalLinesHaveALegend() {
        String text = new Chart("Loss", "step", "loss")
                .add("train", line())
                .add("test", line())
                .text(80, 16);
        assertTrue(text.contains("a: train  b: test"), text);
    }

    @Test
    void pngIsAPicture() throws IOException {
        Path file = folder.resolve("made/loss.png");
        new Chart("Loss", "step", "loss").add("train", line()).save(file);
        BufferedImage picture = ImageIO.read(file.toFile());
        assertEquals(900, picture.getWidth());
        assertTrue(coloured(picture) > 200, "a curve is drawn");
    }

    private static int coloured(BufferedImage picture) {
        int count = 0;
        for (int x = 0; x < picture.getWidth(); x++) {
            for (int y = 0; y < picture.getHeight(); y++) {
                int rgb = picture.getRGB(x, y);
                int red = rgb >> 16 & 0xff;
                int blue = rgb & 0xff;
                count += Math.abs(red - blue) > 60 ? 1 : 0;
            }
        }
        return count;
    }

    @Test
    void svgHasTitleAxesAndCurves() throws Exception {
        Path file = folder.resolve("loss.svg");
        new Chart("Loss & <more>", "step", "time (s)")
                .add("train", line())
                .add("test", List.of(new double[] {3, 4}))
                .save(file);
        Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        assertEquals("Loss & <more>", svg.getElementsByTagName("title").item(0).getTextContent());
        assertEquals(2, svg.getElementsByTagName("polyline").getLength());
        String text = svg.getDocumentElement().getTextContent();
        for (String label : List.of("step", "time (s)", "train", "test", "10", "8")) {
            assertTrue(text.contains(label), () -> label + " in " + text);
        }
    }

    @Test
    void chartsOfRunsAreGroupedByName() {
        for (String run : List.of("a", "b")) {
            try (Metrics metrics = Metrics.to(folder.resolve(run))) {
                metrics.log(1, "loss/train", 2);
                metrics.log(2, "loss/test", Double.NaN);
                metrics.log(2, "pause_seconds", 1);
            }
        }
        List<Chart> charts = Chart.of(folder);
        assertEquals(
                List.of("Loss", "Pause seconds"),
                charts.stream().map(Chart::title).toList());
        assertEquals("pause (s)", charts.getLast().vertical());
        assertEquals(
                List.of("a train", "b train"),
                List.copyOf(charts.getFirst().series().keySet()));
    }

    @Test
    void namesOfFilesDiffer() {
        try (Metrics metrics = Metrics.to(folder)) {
            for (String name : List.of("f1", "f-1", "f_1", "f-1-2", "/loss/train", "größe", "/")) {
                metrics.log(1, name, 2);
            }
        }
        List<Chart> charts = Chart.of(folder);
        assertEquals(
                List.of("f1", "f-1", "f-1-2", "f-1-2-2", "-loss", "größe", "-"),
                charts.stream().map(Chart::fileName).toList());
    }

    /** A run that resumed has written some steps twice. */
    @Test
    void theLastValueOfAStepCounts() {
        try (Metrics metrics = Metrics.to(folder)) {
            metrics.log(1, "loss", 2);
            metrics.log(1, "loss", 1);
        }
        assertEquals(1, MetricsTable.read(folder).series("loss").orElseThrow().getFirst()[1]);
    }

    @Test
    void mistakesSayWhatToDo() throws IOException {
        refused(
                "plot: there is no folder " + folder.resolve("none").toAbsolutePath(),
                () -> Chart.of(folder.resolve("none")));
        refused(
                "plot: no folder in " + folder + " has a metrics.jsonl; Metrics.to(folder) writes one",
                () -> Chart.of(folder));
        Chart chart = new Chart("Loss", "step", "loss");
        refused("plot: the chart \"Loss\" has no finite points", () -> chart.save(folder.resolve("a.png")));
        assertEquals("Loss: no finite points\n", chart.text(80, 16));
        chart.add("train", line());
        refused(
                "plot: charts are .png or .svg, got " + folder.resolve("a.gif"),
                () -> chart.save(folder.resolve("a.gif")));
        Files.writeString(folder.resolve("metrics.jsonl"), "{\"step\":1,\"time\":0,\"loss\":3}\n{\"step\":2,\"ti");
        assertEquals(1, MetricsTable.read(folder).series("loss").orElseThrow().size());
    }

    private static void refused(String message, Runnable call) {
        assertEquals(message, assertThrows(OutpostException.class, call::run).getMessage());
    }

    private static List<double[]> line() {
        return IntStream.rangeClosed(0, 100)
                .mapToObj(step -> new double[] {step, 10 - step / 10.0})
                .toList();
    }
}
