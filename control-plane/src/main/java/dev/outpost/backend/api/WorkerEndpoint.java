package dev.outpost.backend.api;

import dev.outpost.backend.worker.WorkerSecret;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A call of a worker host, by the code that pairs it or by its key; a key of the API does not open it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface WorkerEndpoint {
    WorkerSecret.Kind value();
}
