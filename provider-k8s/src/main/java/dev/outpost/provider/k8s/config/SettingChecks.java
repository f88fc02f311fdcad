package dev.outpost.provider.k8s.config;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.UnknownGpuException;
import dev.outpost.provider.support.InvalidSettingException;
import dev.outpost.provider.support.Memory;
import io.smallrye.config.SmallRyeConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Refuses values that can be parsed but are invalid, alone or in combination. */
final class SettingChecks {
    private static final String A_NAME = "expected a name in lower case such as team-a";
    private static final List<String> OURS =
            List.of("outpost.dev/", "app.kubernetes.io/name", "app.kubernetes.io/managed-by");
    private static final String ALTERNATIVES = "alternatives";
    private static final String QUEUE = "kueue.x-k8s.io/queue-name";

    private SettingChecks() {}

    static void check(KubernetesConfig config, GpuCatalogue catalogue) {
        checkNames(config);
        checkAmounts(config);
        checkTimes(config);
        checkGpus(config, catalogue);
        config.nodeSelector().ifPresent(pairs -> checkLabels("node-selector", pairs));
        config.labels().ifPresent(pairs -> checkAdded("labels", pairs));
        config.labels().ifPresent(pairs -> checkLabels("labels", pairs));
        config.annotations().ifPresent(pairs -> checkAdded("annotations", pairs));
    }

    private static void checkNames(KubernetesConfig config) {
        require("namespace", config.namespace(), KubernetesNames::isLabel, A_NAME);
        require(
                "image",
                Optional.of(config.image()),
                SettingChecks::isImage,
                "expected an image such as registry/name:tag");
        for (String secret : config.imagePullSecrets().orElse(List.of())) {
            require("image-pull-secrets", Optional.of(secret), KubernetesNames::isSubdomain, A_NAME);
        }
        require("runtime-class", config.runtimeClass(), KubernetesNames::isSubdomain, A_NAME);
        require("service-account", config.serviceAccount(), KubernetesNames::isSubdomain, A_NAME);
        require("queue", config.queue(), KubernetesNames::isLabel, A_NAME);
        require("priority-class", config.priorityClass(), KubernetesNames::isSubdomain, A_NAME);
        checkResource("resource-name", config.resourceName());
        require(
                "device-class",
                config.deviceClass(),
                KubernetesNames::isSubdomain,
                "expected a DeviceClass such as gpu.nvidia.com");
        require(
                "gpu-topology",
                config.gpuTopology(),
                name -> name.contains("/") && KubernetesNames.isKey(name),
                "expected an attribute of devices with its domain, such as resource.kubernetes.io/pcieRoot");
    }

    private static void checkAmounts(KubernetesConfig config) {
        config.cpuLimit()
                .filter(limit -> limit.millis() < config.cpu().millis())
                .ifPresent(limit -> {
                    throw InvalidSettingException.of(
                            SettingsReader.PREFIX + "cpu-limit",
                            "expected no less than cpu = " + config.cpu().text(),
                            limit.text());
                });
        Memory most = config.memoryLimit().orElse(config.memory());
        if (config.memory().isMoreThan(most)) {
            throw InvalidSettingException.of(
                    SettingsReader.PREFIX + "memory-limit",
                    "expected no less than memory = " + config.memory().text(),
                    most.text());
        }
        config.sharedMemory().filter(shared -> shared.isMoreThan(most)).ifPresent(shared -> {
            throw InvalidSettingException.of(
                    SettingsReader.PREFIX + "shared-memory",
                    "it counts as the machine's memory, which ends at " + most.text(),
                    shared.text());
        });
    }

    private static void checkTimes(KubernetesConfig config) {
        requirePositive("lease", config.lease());
        requirePositive("start-timeout", config.startTimeout());
        requirePositive("connect-timeout", config.connectTimeout());
        requirePositive("maximum-lifetime", config.maximumLifetime());
        config.idleTimeout().ifPresent(time -> requirePositive("idle-timeout", time));
        config.sessionLease().ifPresent(time -> requirePositive("session-lease", time));
        if (config.ttlAfterFinished().isNegative()) {
            throw InvalidSettingException.of(
                    SettingsReader.PREFIX + "ttl-after-finished",
                    "expected no less than 0s",
                    config.ttlAfterFinished().toString());
        }
        config.sessionLease().filter(time -> time.compareTo(config.lease()) > 0).ifPresent(time -> {
            throw InvalidSettingException.of(
                    SettingsReader.PREFIX + "session-lease",
                    "a session cannot outlive its machine: expected no more than lease = " + config.lease(),
                    time.toString());
        });
    }

    private static void checkGpus(KubernetesConfig config, GpuCatalogue catalogue) {
        Map<GpuType, String> names = new HashMap<>();
        config.gpus().forEach((name, settings) -> {
            String earlier = names.putIfAbsent(GpuKeys.find(catalogue, name), name);
            if (earlier != null) {
                throw InvalidSettingException.of(
                        SettingsReader.PREFIX + "gpus." + name,
                        "it is the same GPU as gpus." + earlier + "; set one of them");
            }
            checkResource("gpus." + name + ".resource-name", settings.resourceName());
            settings.nodeSelector().ifPresent(pairs -> checkLabels("gpus." + name + ".node-selector", pairs));
        });
    }

    /** Refuses GPUs that are not in the catalogue. The library's mapping would refuse them without naming the setting. */
    static void checkAlternatives(SmallRyeConfig texts, GpuCatalogue catalogue) {
        texts.getOptionalValues(SettingsReader.PREFIX + ALTERNATIVES, String.class)
                .orElse(List.of())
                .forEach(name -> checkAlternative(catalogue, name));
    }

    private static void checkAlternative(GpuCatalogue catalogue, String name) {
        try {
            catalogue.find(name);
        } catch (UnknownGpuException unknown) {
            throw InvalidSettingException.of(SettingsReader.PREFIX + ALTERNATIVES, unknown.getMessage());
        }
    }

    private static void checkResource(String setting, Optional<String> resource) {
        require(
                setting,
                resource,
                name -> name.contains("/") && KubernetesNames.isKey(name),
                "expected a resource such as nvidia.com/gpu or nvidia.com/mig-1g.10gb");
    }

    private static void checkLabels(String setting, Pairs pairs) {
        pairs.map()
                .forEach((key, value) -> require(
                        setting,
                        Optional.of(value),
                        KubernetesNames::isLabelValue,
                        "the value of " + key
                                + " must have letters, digits, dashes, dots and underscores, 63 at the most"));
    }

    /** Refuses the labels that assign objects to machines, because only the provider sets them. */
    private static void checkAdded(String setting, Pairs pairs) {
        for (String key : pairs.map().keySet()) {
            if (OURS.stream().anyMatch(key::startsWith)) {
                throw InvalidSettingException.of(
                        SettingsReader.PREFIX + setting, "machines are found by " + key + ", which cannot be set", key);
            }
            if (key.equals(QUEUE)) {
                throw InvalidSettingException.of(
                        SettingsReader.PREFIX + setting, "a queue is chosen by outpost.k8s.queue", key);
            }
        }
    }

    private static boolean isImage(String text) {
        return !text.isBlank() && text.chars().noneMatch(Character::isWhitespace);
    }

    private static void requirePositive(String setting, Duration time) {
        if (!time.isPositive()) {
            throw InvalidSettingException.of(
                    SettingsReader.PREFIX + setting, "expected a time above zero", time.toString());
        }
    }

    private static void require(String setting, Optional<String> value, Predicate<String> isGood, String expected) {
        value.filter(isGood.negate()).ifPresent(bad -> {
            throw InvalidSettingException.of(SettingsReader.PREFIX + setting, expected, bad);
        });
    }
}
