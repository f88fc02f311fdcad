package dev.outpost.rest.machine;

import java.math.BigDecimal;
import java.util.List;

/**
 * A kind of GPU.
 *
 * @param memory the memory of each variant, in bytes
 * @param clusters the active clusters that have GPUs of this kind
 * @param nanosPerSecond the present price of a second, in billionths of the currency's unit
 * @param perHour the present price of an hour, in units of the currency
 */
public record GpuView(
        String name,
        String marketingName,
        List<Long> memory,
        List<String> clusters,
        long nanosPerSecond,
        BigDecimal perHour) {}
