/** Language models over workers of the local network. Needs {@code outpost-provider-lan} on the class path. */
package dev.outpost.models.lan;
