package dev.outpost.rest.tenant;

/** The settings of a member. */
public record MemberRequest(Role role) {}
