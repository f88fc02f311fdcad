package dev.outpost.provider.k8s.devices;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One condition on a device. A claim states it as a CEL expression, one selector for each condition. It can be read
 * back from that expression, so that a pending claim can be explained from the claim alone. No expression reads a
 * value that a device does not publish, because that would make the scheduling of the pod fail.
 */
public sealed interface DeviceCondition {
    /** The driver whose attributes are selected on. */
    String DRIVER = "gpu.nvidia.com";

    /** Returns the condition in CEL, for a selector of a request. */
    String expression();

    /**
     * Returns the reason, in a few words, why the device does not meet the condition. Empty if it does, or if only
     * the scheduler can decide.
     */
    Optional<String> excludes(DeviceFacts device);

    /**
     * The condition that the product's name is one of these.
     *
     * @param names the names as GPU feature discovery writes them: the driver's names, with dashes for blanks
     */
    record Product(List<String> names) implements DeviceCondition {
        public Product {
            names = List.copyOf(names);
        }

        @Override
        public String expression() {
            return published("productName") + ".replace(' ', '-') in "
                    + names.stream().map(DeviceCondition::quoted).collect(Collectors.joining(", ", "[", "]"));
        }

        @Override
        public Optional<String> excludes(DeviceFacts device) {
            Optional<String> name = device.text("productName");
            return name.filter(known -> names.contains(known.replace(' ', '-'))).isPresent()
                    ? Optional.empty()
                    : Optional.of("productName " + name.orElse("missing"));
        }
    }

    /**
     * The condition that the device has at least this amount of memory. Some devices publish no memory, such as one that shares the host's.
     *
     * @param mebibytes the minimum memory, in MiB
     */
    record Memory(long mebibytes) implements DeviceCondition {
        @Override
        public String expression() {
            return published(Forms.CAPACITY, "memory") + ".compareTo(quantity('" + mebibytes + "Mi')) >= 0";
        }

        @Override
        public Optional<String> excludes(DeviceFacts device) {
            Optional<Quantity> memory = device.amount("memory");
            Quantity least = new Quantity(mebibytes + "Mi");
            return memory.filter(there -> there.getNumericalAmount().compareTo(least.getNumericalAmount()) >= 0)
                            .isPresent()
                    ? Optional.empty()
                    : Optional.of("memory " + memory.map(Quantity::toString).orElse("missing"));
        }
    }

    /**
     * The condition that the device has at least this compute capability.
     *
     * @param version a version of three numbers, such as {@code 8.0.0}
     */
    record Capability(String version) implements DeviceCondition {
        @Override
        public String expression() {
            return published("cudaComputeCapability") + ".compareTo(semver('" + version + "')) >= 0";
        }

        @Override
        public Optional<String> excludes(DeviceFacts device) {
            Optional<String> there = device.text("cudaComputeCapability");
            return there.filter(known -> Arrays.compare(numbers(known), numbers(version)) >= 0)
                            .isPresent()
                    ? Optional.empty()
                    : Optional.of("cudaComputeCapability " + there.orElse("missing"));
        }

        private static int[] numbers(String text) {
            return Stream.of(text.split("\\."))
                    .mapToInt(part -> part.matches("\\d{1,9}") ? Integer.parseInt(part) : 0)
                    .toArray();
        }
    }

    /** The condition that the device is a MIG slice of this profile, such as {@code 1g.10gb} or {@code 1g.10gb+me}. */
    record Profile(String name) implements DeviceCondition {
        @Override
        public String expression() {
            return published("profile") + " == " + quoted(name);
        }

        @Override
        public Optional<String> excludes(DeviceFacts device) {
            Optional<String> profile = device.text("profile");
            return profile.filter(name::equals).isPresent()
                    ? Optional.empty()
                    : Optional.of("profile " + profile.orElse("missing"));
        }
    }

    /** A user's expression. Only the scheduler evaluates it. */
    record Expression(String expression) implements DeviceCondition {
        @Override
        public Optional<String> excludes(DeviceFacts device) {
            return Optional.empty();
        }
    }

    /** Parses the condition of a selector. */
    static DeviceCondition of(String expression) {
        Matcher matcher = Forms.ANY.matcher(expression);
        if (!matcher.matches()) {
            return new Expression(expression);
        }
        if (matcher.group("names") != null) {
            return new Product(Forms.NAME
                    .matcher(matcher.group("names"))
                    .results()
                    .map(name -> name.group(1))
                    .toList());
        }
        if (matcher.group("mebibytes") != null) {
            return new Memory(Long.parseLong(matcher.group("mebibytes")));
        }
        return matcher.group("version") != null
                ? new Capability(matcher.group("version"))
                : new Profile(matcher.group("profile"));
    }

    /** The patterns of these expressions. */
    final class Forms {
        private static final String ATTRIBUTES = "device.attributes['" + DRIVER + "']";
        private static final String CAPACITY = "device.capacity['" + DRIVER + "']";
        private static final Pattern NAME = Pattern.compile("'([^']*)'");
        private static final Pattern ANY = Pattern.compile(form(
                        published("productName"), "\\.replace\\(' ', '-'\\) in \\[(?<names>[^\\]]*)]")
                + "|"
                + form(published("cudaComputeCapability"), "\\.compareTo\\(semver\\('(?<version>[\\d.]+)'\\)\\) >= 0")
                + "|" + form(published("profile"), " == '(?<profile>[^']*)'")
                + "|"
                + form(
                        published(CAPACITY, "memory"),
                        "\\.compareTo\\(quantity\\('(?<mebibytes>\\d{1,18})Mi'\\)\\) >= 0"));

        private Forms() {}

        private static String form(String value, String test) {
            return Pattern.quote(value) + test;
        }
    }

    private static String published(String attribute) {
        return published(Forms.ATTRIBUTES, attribute);
    }

    /** Guards a value of a device. If the device does not publish the value, the whole expression is false. */
    private static String published(String map, String name) {
        return "'" + name + "' in " + map + " && " + map + "." + name;
    }

    /** Quotes a text. Names of GPUs and profiles have neither quotes nor backslashes. */
    private static String quoted(String text) {
        return "'" + text + "'";
    }
}
