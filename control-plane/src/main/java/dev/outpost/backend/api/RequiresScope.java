package dev.outpost.backend.api;

import dev.outpost.rest.tenant.KeyScope;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The right that a key must have for a call. A call without this annotation is refused for every key. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface RequiresScope {
    KeyScope value();
}
