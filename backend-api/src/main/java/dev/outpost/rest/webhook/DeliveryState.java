package dev.outpost.rest.webhook;

/** The state of a delivery. */
public enum DeliveryState {
    PENDING,
    DELIVERED,
    DEAD
}
