-- A key of a member may what the member's role allows, and nothing once there is no such member.
ALTER TABLE keys ADD COLUMN subject text;
