package dev.outpost.provider;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the GPUs that a user adds: {@code RTX4090=24GB:8.9;RTX3060=12GB:8.6}. */
final class GpuConfiguration {
    private static final String EXAMPLE = "NAME=MEMORY:CAPABILITY such as RTX4090=24GB:8.9";
    private static final Pattern ENTRY = Pattern.compile("([^=:]+)=([^=:]+):([^=:]+)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    private static final Pattern MEMORY = Pattern.compile("([1-9]\\d{0,5})\\s*GB", Pattern.CASE_INSENSITIVE);

    private GpuConfiguration() {}

    /** Returns the types in the order of the text; an empty list for a blank text. */
    static List<GpuType> parse(String text) {
        List<GpuType> types = new ArrayList<>();
        Arrays.stream(text.split(";"))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .map(GpuConfiguration::parseEntry)
                .forEach(type -> addOnce(types, type));
        return types;
    }

    private static void addOnce(List<GpuType> types, GpuType type) {
        if (types.stream().anyMatch(earlier -> earlier.isCalled(type.name()))) {
            throw problem(type.name() + " is defined twice");
        }
        types.add(type);
    }

    private static GpuType parseEntry(String entry) {
        Matcher matcher = ENTRY.matcher(entry);
        if (!matcher.matches()) {
            throw problem("expected " + EXAMPLE + ", got \"" + entry + "\"");
        }
        String name = parseName(matcher.group(1).strip());
        long memory = parseMemory(name, matcher.group(2).strip());
        ComputeCapability capability = parseCapability(name, matcher.group(3).strip());
        return new GpuType(name, List.of(), List.of(memory), capability, name);
    }

    private static String parseName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw problem("a name has letters, digits, dots, dashes and underscores, got \"" + name + "\"");
        }
        if (GpuType.ANY.isCalled(name)) {
            throw problem("any stands for every GPU of the provider and cannot be defined");
        }
        return name;
    }

    private static long parseMemory(String name, String memory) {
        Matcher matcher = MEMORY.matcher(memory);
        if (!matcher.matches()) {
            throw problem(name + ": expected memory such as 24GB, got \"" + memory + "\"");
        }
        return Long.parseLong(matcher.group(1)) * GpuType.GIGABYTE;
    }

    private static ComputeCapability parseCapability(String name, String capability) {
        try {
            return ComputeCapability.parse(capability);
        } catch (IllegalArgumentException failure) {
            throw problem(name + ": " + failure.getMessage());
        }
    }

    private static IllegalArgumentException problem(String sentence) {
        return new IllegalArgumentException(GpuCatalogue.PROPERTY + ": " + sentence);
    }
}
