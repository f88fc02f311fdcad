package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;

/** @param includeUsage true if the last event has the usage */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record StreamOptions(Boolean includeUsage, Boolean includeObfuscation) {}
