package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;

/** @param includeUsage whether the last event tells the usage */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record StreamOptions(Boolean includeUsage, Boolean includeObfuscation) {}
