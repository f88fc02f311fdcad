package dev.outpost.provider.process.config;

import dev.outpost.provider.support.SettingChoice;

/** The ways to isolate machines of organisations, by their names in the settings. */
public enum IsolationName {
    AUTO,
    NAMESPACES,
    USER,
    NONE;

    public String text() {
        return SettingChoice.text(this);
    }
}
