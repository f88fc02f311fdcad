package dev.outpost.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * A part of a list.
 *
 * @param next what {@code ?cursor=} takes for the part behind it; absent at the end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Page<T>(List<T> items, String next) {}
