package dev.outpost.rest.machine;

import java.math.BigDecimal;
import java.util.List;

/** A kind of GPU: its memory in bytes, by variant, the active clusters that have it, and its price now. */
public record GpuView(
        String name,
        String marketingName,
        List<Long> memory,
        List<String> clusters,
        long nanosPerSecond,
        BigDecimal perHour) {}
