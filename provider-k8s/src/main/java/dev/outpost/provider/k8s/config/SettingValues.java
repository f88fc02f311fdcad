package dev.outpost.provider.k8s.config;

import dev.outpost.provider.support.InvalidSettingException;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.SmallRyeConfig;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * Refuses values that cannot be parsed. Checks each value separately, so that the message names the setting and the
 * value.
 */
final class SettingValues {
    private SettingValues() {}

    static void check(SmallRyeConfig config) {
        List<String> names = StreamSupport.stream(config.getPropertyNames().spliterator(), false)
                .filter(name -> name.startsWith(SettingsReader.PREFIX))
                .map(name -> name.substring(SettingsReader.PREFIX.length()))
                .sorted()
                .toList();
        for (Setting setting : Setting.all()) {
            names.stream().filter(setting::isCalled).forEach(name -> check(setting, name, value(config, name)));
        }
    }

    /** Returns the text with its expressions resolved. */
    private static String value(SmallRyeConfig config, String name) {
        ConfigValue value = config.getConfigValue(SettingsReader.PREFIX + name);
        if (value.hasProblems()) {
            throw InvalidSettingException.of(
                    SettingsReader.PREFIX + name, "an expression in it has no value", value.getRawValue());
        }
        return value.getValue();
    }

    private static void check(Setting setting, String name, String value) {
        if (value == null || value.isEmpty()) {
            requireOptional(setting, name);
            return;
        }
        try {
            Readers.check(setting.type(), value);
        } catch (IllegalArgumentException failure) {
            throw InvalidSettingException.of(SettingsReader.PREFIX + name, failure, value);
        }
    }

    private static void requireOptional(Setting setting, String name) {
        if (!setting.isOptional()) {
            throw InvalidSettingException.of(
                    SettingsReader.PREFIX + name,
                    "it cannot be empty; leave it out for " + setting.standard().orElse("none"));
        }
    }
}
