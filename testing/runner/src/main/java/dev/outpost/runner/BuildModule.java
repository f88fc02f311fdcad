package dev.outpost.runner;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A module of the build.
 *
 * @param path its folder, relative to the root, such as {@code gpu-runtime/core}
 * @param artifact its artifact's name, such as {@code outpost-runtime-core}
 * @param dependencies the names of our artifacts on which it depends, including those of tests
 * @param profile the Maven profile that it belongs to; empty for the ordinary build
 * @param tests the folder of its test classes
 * @param classes its test classes, by full name
 */
record BuildModule(
        String path, String artifact, Set<String> dependencies, String profile, Path tests, List<String> classes) {}
