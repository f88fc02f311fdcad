package dev.outpost.rest;

/**
 * A quota or budget that a request would exceed.
 *
 * @param name the name of the limit, such as {@code key/requests-per-second}
 * @param used the amount in use, in the unit of the limit
 * @param asked the amount that the request adds
 * @param allowed the largest amount
 */
public record LimitView(String name, long used, long asked, long allowed) {}
