/** States of sessions in a store: content-addressed chunks, and a manifest for each state. */
package dev.outpost.runtime.state;
