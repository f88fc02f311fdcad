package dev.outpost.models.jinja;

import java.util.HashMap;
import java.util.Map;

/** The variables that a part of a template can use: its own variables, and the variables of the enclosing parts. */
final class Variables {
    private final Variables around;
    private final TemplateBudget budget;
    private final Map<String, Object> own = new HashMap<>();

    Variables(Map<String, Object> given, TemplateBudget budget) {
        this.around = null;
        this.budget = budget;
        own.putAll(given);
    }

    private Variables(Variables around) {
        this.around = around;
        this.budget = around.budget;
    }

    /** Returns variables for an enclosed part. Names that are set there are not visible here. */
    Variables within() {
        return new Variables(this);
    }

    Object get(String name) {
        for (Variables place = this; place != null; place = place.around) {
            if (place.own.containsKey(name)) {
                return place.own.get(name);
            }
        }
        return new Undefined(name);
    }

    void set(String name, Object value) {
        own.put(name, value);
    }

    TemplateBudget budget() {
        return budget;
    }
}
