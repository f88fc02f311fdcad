package dev.outpost.gpucheck.gpu;

import java.util.Locale;
import java.util.Map;

/**
 * The finding of a step.
 *
 * @param isSkipped true if the step lacks something that it needs
 * @param detail a sentence
 * @param figures the figures, by name and unit
 */
public record GpuFinding(boolean isSkipped, String detail, Map<String, Double> figures) {
    public static GpuFinding of(Map<String, Double> figures, String format, Object... arguments) {
        return new GpuFinding(false, String.format(Locale.ROOT, format, arguments), figures);
    }

    public static GpuFinding skipped(String reason) {
        return new GpuFinding(true, reason, Map.of());
    }
}
