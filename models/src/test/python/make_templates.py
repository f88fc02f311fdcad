"""Renders templates as transformers renders chat templates, for JinjaTest.

    pip install transformers jinja2
    python models/src/test/python/make_templates.py models/src/test/resources/fixtures/templates.json

The chat templates are written for this test, with what those of well-known models use. The rest are expressions and blocks, one
feature each.
"""

import json
import sys

from transformers.utils.chat_template_utils import _compile_jinja_template

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "The weather in a town – <now> & later",
            "parameters": {
                "type": "object",
                "properties": {"town": {"type": "string"}, "days": {"type": "integer", "default": 1}},
                "required": ["town"],
            },
        },
    }
]
CHAT = [
    {"role": "system", "content": " Be brief.\n"},
    {"role": "user", "content": "What's the weather in Köln? 🙂"},
    {
        "role": "assistant",
        "content": "<think>\nI ask.\n</think>\n\nI'll look.",
        "tool_calls": [
            {"type": "function", "function": {"name": "weather", "arguments": {"town": "Köln", "days": 2, "wet": None}}}
        ],
    },
    {"role": "tool", "name": "weather", "content": '{"rain": true}'},
    {"role": "assistant", "content": "Rain."},
    {"role": "user", "content": [{"type": "text", "text": "And in "}, {"type": "text", "text": "Bonn?"}]},
]
PLAIN = [
    {"role": "system", "content": " Be brief.\n"},
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": " Hello. "},
    {"role": "user", "content": "What is 1 + 1?"},
]
VALUES = {"bos_token": "<s>", "eos_token": "</s>", "add_generation_prompt": True}

HEADERS = """{{- bos_token }}
{%- if custom_tools is defined %}
    {%- set tools = custom_tools %}
{%- endif %}
{%- if not date_string is defined %}
    {%- set date_string = "26 Jul 2024" %}
{%- endif %}
{%- if not tools is defined %}
    {%- set tools = none %}
{%- endif %}
{#- The system's words come first, if there are any. #}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|start|>system<|end|>\\n\\n" }}
{%- if tools is not none %}
    {{- "Environment: ipython\\n" }}
{%- endif %}
{{- "Today: " + date_string + "\\n\\n" }}
{%- if tools is not none %}
    {{- "Functions:\\n" }}
    {%- for t in tools %}
        {{- t | tojson(indent=4) }}
        {{- "\\n\\n" }}
    {%- endfor %}
{%- endif %}
{{- system_message }}
{{- "<|eot|>" }}
{%- for message in messages %}
    {%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|start|>' + message['role'] + '<|end|>\\n\\n' }}
        {%- if message['content'] is string %}
            {{- message['content'] | trim + '<|eot|>' }}
        {%- else %}
            {%- for part in message['content'] if part.type == 'text' %}
                {{- part['text'] | trim }}
            {%- endfor %}
            {{- '<|eot|>' }}
        {%- endif %}
    {%- elif 'tool_calls' in message %}
        {%- if not message.tool_calls|length == 1 %}
            {{- raise_exception("only one call at a time") }}
        {%- endif %}
        {%- set tool_call = message.tool_calls[0].function %}
        {{- '{"name": "' + tool_call.name + '", ' }}
        {{- '"parameters": ' }}
        {{- tool_call.arguments | tojson }}
        {{- "}" }}
    {%- elif message.role == "tool" or message.role == "ipython" %}
        {{- "<|start|>ipython<|end|>\\n\\n" }}
        {%- if message.content is mapping or message.content is iterable %}
            {{- message.content | tojson }}
        {%- else %}
            {{- message.content }}
        {%- endif %}
        {{- "<|eot|>" }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start|>assistant<|end|>\\n\\n' }}
{%- endif %}
"""

THINKING = """{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0].role == 'system' %}
        {{- messages[0].content + '\\n\\n' }}
    {%- endif %}
    {{- "# Tools\\n<tools>" }}
    {%- for tool in tools %}
        {{- "\\n" }}
        {{- tool | tojson }}
    {%- endfor %}
    {{- "\\n</tools><|im_end|>\\n" }}
{%- else %}
    {%- if messages[0].role == 'system' %}
        {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
    {%- endif %}
{%- endif %}
{%- set ns = namespace(multi_step_tool=true, last_query_index=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step_tool and message.role == "user" and message.content is string and not(message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}
        {%- set ns.multi_step_tool = false %}
        {%- set ns.last_query_index = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {%- set reasoning_content = '' %}
        {%- if message.reasoning_content is string %}
            {%- set reasoning_content = message.reasoning_content %}
        {%- else %}
            {%- if '</think>' in content %}
                {%- set reasoning_content = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
                {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
            {%- endif %}
        {%- endif %}
        {%- if loop.index0 > ns.last_query_index %}
            {%- if loop.last or (not loop.last and reasoning_content) %}
                {{- '<|im_start|>' + message.role + '\\n<think>\\n' + reasoning_content.strip('\\n') + '\\n</think>\\n\\n' + content.lstrip('\\n') }}
            {%- else %}
                {{- '<|im_start|>' + message.role + '\\n' + content }}
            {%- endif %}
        {%- else %}
            {{- '<|im_start|>' + message.role + '\\n' + content }}
        {%- endif %}
        {%- if message.tool_calls %}
            {%- for tool_call in message.tool_calls %}
                {%- if (loop.first and content) or (not loop.first) %}
                    {{- '\\n' }}
                {%- endif %}
                {%- if tool_call.function %}
                    {%- set tool_call = tool_call.function %}
                {%- endif %}
                {{- '<tool_call>\\n{"name": "' }}
                {{- tool_call.name }}
                {{- '", "arguments": ' }}
                {%- if tool_call.arguments is string %}
                    {{- tool_call.arguments }}
                {%- else %}
                    {{- tool_call.arguments | tojson }}
                {%- endif %}
                {{- '}\\n</tool_call>' }}
            {%- endfor %}
        {%- endif %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == "tool" %}
        {%- if loop.first or (messages[loop.index0 - 1].role != "tool") %}
            {{- '<|im_start|>user' }}
        {%- endif %}
        {{- '\\n<tool_response>\\n' }}
        {{- content }}
        {{- '\\n</tool_response>' }}
        {%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}
            {{- '<|im_end|>\\n' }}
        {%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}"""

INSTRUCTION = (
    "{%- if messages[0]['role'] == 'system' %}{%- set system_message = messages[0]['content'] %}"
    "{%- set loop_messages = messages[1:] %}{%- else %}{%- set loop_messages = messages %}{%- endif %}"
    "{{ bos_token }}{% for message in loop_messages %}"
    "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('roles must alternate') }}{% endif %}"
    "{% if message['role'] == 'user' %}{% if loop.first and system_message is defined %}"
    "{{ ' [INST] ' + system_message + '\\n\\n' + message['content'] + ' [/INST]' }}{% else %}"
    "{{ ' [INST] ' + message['content'] + ' [/INST]' }}{% endif %}"
    "{% elif message['role'] == 'assistant' %}{% generation %}{{ ' ' + message['content'] + eos_token }}{% endgeneration %}"
    "{% else %}{{ raise_exception('unknown role') }}{% endif %}{% endfor %}"
)

TURNS = """{{ bos_token }}
{%- if messages[0]['role'] == 'system' -%}
    {%- if messages[0]['content'] is string -%}
        {%- set first_user_prefix = messages[0]['content'] + '

' -%}
    {%- else -%}
        {%- set first_user_prefix = messages[0]['content'][0]['text'] + '

' -%}
    {%- endif -%}
    {%- set loop_messages = messages[1:] -%}
{%- else -%}
    {%- set first_user_prefix = "" -%}
    {%- set loop_messages = messages -%}
{%- endif -%}
{%- for message in loop_messages -%}
    {%- if (message['role'] == 'assistant') -%}
        {%- set role = "model" -%}
    {%- else -%}
        {%- set role = message['role'] -%}
    {%- endif -%}
    {{ '<start_of_turn>' + role + '
' + (first_user_prefix if loop.first else "") }}
    {%- if message['content'] is string -%}
        {{ message['content'] | trim }}
    {%- elif message['content'] is iterable -%}
        {%- for item in message['content'] -%}
            {%- if item['type'] == 'image' -%}
                {{ '<start_of_image>' }}
            {%- elif item['type'] == 'text' -%}
                {{ item['text'] | trim }}
            {%- endif -%}
        {%- endfor -%}
    {%- else -%}
        {{ raise_exception("Invalid content type") }}
    {%- endif -%}
    {{ '<end_of_turn>
' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{'<start_of_turn>model
'}}
{%- endif -%}
"""

MACROS = """{% macro type_of(spec) -%}
{%- set names = {"string": "str", "integer": "int", "array": "list"} %}
{%- if spec.type == "array" and spec.get("items") -%}
List[{{ type_of(spec["items"]) }}]
{%- else -%}
{{ names[spec.type] }}
{%- endif -%}
{%- endmacro %}
{% for tool in tools %}
def {{ tool.function.name }}(
{%- for name, spec in tool.function.parameters.properties.items() -%}
{{ name }}: {{ type_of(spec) }}{% if name not in tool.function.parameters.required %} = {{ spec.default }}{% endif %}{{ ", " if not loop.last }}
{%- endfor %})
{% endfor %}
  {% if true %}
    indented
  {% endif %}
  {%+ if true %}kept{%+ endif +%}

{{ type_of({"type": "array", "items": {"type": "string"}}) }}
"""

SMALL = [
    "{{ 1 + 2 * 3 ** 2 - 7 // 2 % 2 }} {{ 7 / 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 2.50 }} {{ 1e3 if false else 10.0 * 3 }}",
    "{{ 1 < 2 < 3 }} {{ 1 < 2 > 3 }} {{ 'a' in 'abc' }} {{ 4 not in [1, 2] }} {{ not 1 == 2 }} {{ 1 == 1.0 }}",
    "{{ none }} {{ true }} {{ missing }}| {{ missing is defined }} {{ nothing is defined }} {{ nothing is none }}",
    "{{ [1, 'a', none, true, 2.0] }} {{ {'a': 1, 'b': [\"it's\"]} }} {{ ('x', 'y') | list }}",
    "{{ 'abc'[0] }} {{ 'abc'[-1] }} {{ 'abcdef'[1:4] }} {{ 'abcdef'[::-1] }} {{ [1,2,3,4][::2] }} {{ [1,2,3][-2:] }}",
    "{{ ' x '.strip() }}|{{ 'xxaxx'.strip('x') }}|{{ 'a,b,c'.split(',') }}|{{ 'a b  c'.split() }}|{{ 'a,b,c'.split(',', 1) }}|{{ 'a.b.c'.rsplit('.', 1) }}",
    "{{ 'hello world'.title() }} {{ 'hello'.upper() }} {{ 'HELLO'|lower }} {{ 'hELLO'|capitalize }} {{ 'aXbX'.replace('X', '-') }}",
    "{{ 'x'.startswith(('a', 'x')) }} {{ 'a/b'.endswith('b') }} {{ 'abcabc'.find('c') }} {{ 'abcabc'.count('b') }}",
    "{% for x in [1,2,3,4] if x is even %}{{ loop.index }}/{{ loop.length }}:{{ x }}{{ ',' if not loop.last }}{% else %}none{% endfor %}",
    "{% for x in [] %}x{% else %}none{% endfor %}{% for a, b in [[1,2],[3,4]] %}{{ a + b }};{% endfor %}",
    "{% for x in range(5) %}{% if x == 1 %}{% continue %}{% endif %}{% if x == 3 %}{% break %}{% endif %}{{ x }}{% endfor %}",
    "{% set ns = namespace(found=false, n=0) %}{% for x in 'abc' %}{% set ns.n = ns.n + 1 %}{% if x == 'b' %}{% set ns.found = true %}{% endif %}{% endfor %}{{ ns.found }} {{ ns.n }}",
    "{% set x = 1 %}{% for i in [1] %}{% set x = 2 %}{{ x }}{% endfor %}{{ x }}",
    "{% set text %}  a\n  b\n{% endset %}[{{ text }}]{% set up | upper %}abc{% endset %}{{ up }}",
    "{{ items | selectattr('kind', 'equalto', 'a') | map(attribute='n') | list }} {{ items | rejectattr('kind', 'eq', 'a') | list | length }}",
    "{{ items | map(attribute='n') | sum }} {{ items | map(attribute='kind') | join('-') }} {{ items | map(attribute='kind') | unique | list }}",
    "{{ [3,1,2] | sort }} {{ [3,1,2] | sort(reverse=true) }} {{ ['b', 'A'] | sort }} {{ [1,2,3] | first }} {{ [1,2,3] | last }} {{ [3,1] | max }} {{ [3,1] | min }}",
    "{{ {'b': 1, 'a': 2} | dictsort | map('join', '=') | list }} {{ {'b': 1} | items | map('first') | list }} {{ {'a': 1}.get('b', 'no') }} {{ {'a': 1}.get('b') }} {{ {'a': 1}.keys() | list }}",
    "{{ missing | default('d') }} {{ '' | default('d') }} {{ '' | default('d', true) }} {{ none | default('d', boolean=true) }}",
    "{{ {'a': 'ü<b>&\"\\n', 'b': [1, 2.5, none, true], 'c': {}} | tojson }} {{ [] | tojson(indent=2) }}",
    "{{ {'a': [1, {'b': 2}], 'c': [], 'd': {}} | tojson(indent=2) }}",
    "{{ 'a\nb\n\nc' | indent(2) }}|{{ 'a\nb' | indent(width=3, first=true) }}",
    "{{ '12' | int + 1 }} {{ 'x' | int }} {{ '1.5' | float }} {{ 2.6 | round }} {{ 2.345 | round(2) }} {{ 3.9 | int }} {{ -3 | abs }}",
    "{{ 'a' ~ 1 ~ none }} {{ 'ab' * 3 }} {{ [1] + [2] }} {{ 'x' 'y' }} {{ [1, 2] * 2 }}",
    "{{ 1 if missing else 'no' }}{{ 'x' if false }}| {{ (1 or 2) and 3 }} {{ '' or 'b' }} {{ none and 1 }}",
    "{% raw %}{{ not run }}{% endraw %} {# gone #}x",
    "a  {%- if true -%}  b  {%- endif -%}  c\n{%- if true %}\n  d\n{%- endif %}\n",
    "  {% if true %}\n  x\n  {% endif %}\n  {{ 1 }}\n  {# c #}\n  y\n",
    "{{ 'A' is upper }} {{ 3 is odd }} {{ 4 is divisibleby 2 }} {{ 'x' is string }} {{ 1 is number }} {{ 1.0 is integer }} {{ {} is mapping }} {{ [] is sequence }} {{ 'a' is in ['a'] }} {{ true is boolean }} {{ 1 is not none }}",
    "{{ 'ab' is in 'cab' and 1 is eq 1 }} {{ [1,2] | select('odd') | list }} {{ [0,1] | reject | list if false else [0, 1] | select | list }}",
    "{{ [[1, 2], [3]] | map('length') | list }} {{ ['a', 'b'] | map('upper') | join }} {{ 'abc' | reverse }} {{ 'abc' | list }}",
    "{{ strftime_now('%Y') | length }} {{ range(3) | list }} {{ range(1, 7, 2) | list }} {{ dict(a=1) }}",
    "{% macro f(a, b=2) %}{{ a }}-{{ b }}{% endmacro %}{{ f(1) }} {{ f(1, b=3) }} {{ f(a=5) }} {{ f(1) | upper }}",
    "{% filter upper %}abc{% endfilter %} {{ loop is defined }} {{ 'a\\tb\\u00e9' }} {{ '\\'' }} {{ \"\\\"\" }}",
    "{%- for x in items -%}{{ loop.revindex }}{{ loop.cycle('a', 'b') }}{{ loop.previtem.n if loop.previtem is defined }}{{ loop.nextitem.n if not loop.last }} {%- endfor -%}",
    "{{ 100000000000000000000.0 }} {{ 0.00001 }} {{ 1.5e0 if false else 123456789.125 }} {{ 1_000 }} {{ 0.1 + 0.2 }}",
    "{{ 'a' if 1 == 2 else 'b' if 2 == 2 else 'c' }} {{ {'k': 1}.k }} {{ {'k': {'l': 2}}['k'].l }} {{ [[5]][0].0 }}",
    "{{ {'a': [1, 2], 'b': none} | tojson(separators=(',', ':')) }} {{ [1, {'a': 2}] | tojson(indent=1, separators=[';', '=']) }}",
    "{{ {'b': 1, 'a': {'d': 1, 'c': 2}} | tojson(sort_keys=true) }} {{ {2: 1, 1: 2, 10: 3} | tojson(sort_keys=True) }}",
    "{{ ['é', '🙂', '\x7f'] | tojson(ensure_ascii=true) }} {{ ['é', '🙂'] | tojson }} {{ 'é' | tojson(True) }} {{ 'é' | tojson(ensure_ascii=False) }}",
    "{{ [1, [2]] | tojson(indent='-') }} {{ [1] | tojson(indent=0) }} {{ [1, 2] | tojson(False, 2, (',', ': '), true) }}",
    "{{ {'a': {'b': (1, 2)}} | tojson(indent=2, sort_keys=true, ensure_ascii=true, separators=(', ', ' : ')) }}",
    "{{ 9223372036854775808 + 1 }} {{ 9223372036854775807 + 1 }} {{ -9223372036854775808 - 1 }} {{ 2 ** 100 }} {{ (2 ** 100) | tojson }}",
    "{{ 9223372036854775807 * 9223372036854775807 }} {{ (10 ** 30) // 7 }} {{ (10 ** 30) % 7 }} {{ -(10 ** 30) // 7 }} {{ -(10 ** 30) % 7 }}",
    "{{ 3 ** 5 }} {{ (-2) ** 3 }} {{ (-2) ** 64 }} {{ 2 ** -1 }} {{ 0 ** 0 }} {{ (-1) ** 10000000001 }} {{ 7 // -2 }} {{ 7 % -2 }} {{ -7 % 2 }}",
    "{{ 2 ** 64 == 2 ** 64 }} {{ 2 ** 64 > 2 ** 63 }} {{ 9007199254740993 == 9007199254740992 }} {{ (2 ** 64) is odd }} {{ (2 ** 64 + 1) is odd }} {{ (2 ** 70) is integer }} {{ (2 ** 70) is divisibleby 4 }}",
    "{{ '18446744073709551616' | int + 1 }} {{ 'ff' | int(base=16) }} {{ 'x' | int(default=7) }} {{ '1.9' | int }} {{ 1e20 | int }} {{ '0x1f' | int(0, 16) }} {{ (-(2 ** 63)) | abs }}",
    "{{ (1, 2) }} {{ (1,) }} {{ () }} {{ (1, 2) + (3,) }} {{ (1, 2) == [1, 2] }} {{ (1, 2) | list }} {{ [(1, 'a')] }} {{ {'a': 1}.items() | list }}",
    "{% set a, b = (1, 2) %}{{ a }}{{ b }} {% for x, y in [(1, 2), (3, 4)] %}{{ x + y }}{% endfor %} {{ (1, 2)[0] }} {{ 1 in (1, 2) }} {{ (1, 2) | tojson }}",
    "{{ {'b': 1, 'A': 2} | dictsort }} {{ {'b': 1, 'A': 2} | dictsort(true) }} {{ {'b': 1, 'A': 2} | dictsort(by='value', reverse=true) }} {{ {'b': 1, 'A': 2} | dictsort(case_sensitive=true) }}",
    "{{ [1, 2] | sum(start=10) }} {{ items | sum(attribute='n') }} {{ ['b', 'A', 'B'] | unique | list }} {{ ['b', 'B'] | unique(case_sensitive=true) | list }} {{ items | unique(attribute='kind') | map(attribute='n') | list }}",
    "{{ ['b', 'A'] | min }} {{ ['b', 'A'] | max }} {{ ['b', 'A'] | max(case_sensitive=true) }} {{ items | max(attribute='n') }} {{ ['b', 'A', 'c'] | sort(case_sensitive=true) }} {{ ['b', 'A', 'c'] | sort(true) }}",
    "{{ 'aXbX' | replace(old='X', new='y', count=1) }} {{ items | map(attribute='m', default='?') | join(d='-') }} {{ 'xax' | trim(chars='x') }} {{ 'a b  c'.split(sep=' ', maxsplit=1) }}",
    "{{ dict(b=1, a=2) }} {{ dict([('c', 3), ('a', 1)]) }} {{ dict({'z': 1}, b=2) }} {{ dict(z=1, y=2, x=3, w=4, v=5) | tojson }}",
    "{% set n = namespace({'a': 1, 'z': 2}, b=3) %}{{ n.a }}{{ n.z }}{{ n.b }}",
    "{{ 9007199254740993 | round }} {{ 3 | round }} {{ 2.5 | round }} {{ 15 | round(-1) }} {{ 2.675 | round(2) }} {{ -0.4 | round }}",
    "{{ 5 | round(0, 'ceil') }} {{ 2.71 | round(1, 'floor') }} {{ 25 | round(-1, 'ceil') }} {{ true | round }}",
    "{{ 9007199254740993 / 3 }} {{ 36893488147419103232 / 3 }} {{ 10 ** 400 / 10 ** 399 }} {{ 7 / 2 }}",
    "{{ 9007199254740993 == 9007199254740992.0 }} {{ 9007199254740993 > 9007199254740992.0 }} {{ 1 == 1.0 }} {{ true == 1 }} {{ [1] == [1.0] }}",
    "{{ -0.0 }} {{ [-0.0] | tojson }} {{ 0.0 == -0.0 }} {{ -0.0 < 0.0 }} {{ -7 % 3.0 }} {{ 7 % -3.0 }} {{ -7 // 2.0 }} {{ 1e300 * 1e10 }}",
    "{{ 'abc'.find('c', 1) }} {{ 'abcabc'.find('a', 1, 3) }} {{ 'abcabc'.rfind('c', 0, -1) }} {{ 'aaa'.count('a', 1) }} {{ 'abc'.startswith('b', 1) }} {{ 'abc'.endswith('b', 0, 2) }} {{ 'abc'.find('', 9) }}",
    "{{ 'a\\nb\\r\\nc\\n'.splitlines(true) }} {{ 'a\\nb\\r\\nc\\n'.splitlines() }} {{ 'a\\nb'.splitlines(keepends=true) }}",
    "{{ ' a b c '.split(none, 1) }} {{ ' a b c '.rsplit(none, 1) }} {{ ' a  b '.split() }} {{ 'a b'.split(none, 0) }} {{ 'a,b,c'.rsplit(',', 1) }}",
    "{{ '🙂a🙂'.replace('', '-') }} {{ 'ab'.replace('', '-', 2) }} {{ 'aaa' | replace('a', 'b', 2) }} {{ '🙂ab'.find('b') }} {{ '🙂'.count('') }} {{ '🙂x🙂'.strip('🙂') }}",
    "{{ \"it's a (big) dog-house\" | title }} {{ \"it's a dog\".title() }} {{ \"élan VITAL\" | capitalize }}",
    "{{ (1, 2, 3)[1:] }} {{ (1, 2) * 2 }} {{ 2 * (1,) }} {{ [1, 2] * 2 }} {{ 2 * 'ab' }} {{ true * 'ab' }} {{ 'ab' * -1 }} {{ (1, 2)[5:] }}",
    "{{ {1: 'a'}[1.0] }} {{ {1: 'a'}[true] }} {{ 1.0 in {1: 2} }} {{ {1: 'a', 1.0: 'b'} }} {{ {1: 'a'}.get(1.0) }} {{ {2 ** 70: 'x'}[2 ** 70] }}",
    "{{ [] is sameas [] }} {{ none is sameas none }} {{ 1 is sameas 1.0 }} {{ 1 is sameas true }} {{ true is sameas true }}",
    "{{ 'a' in nosuch }} {{ 'a' not in nosuch }} {{ -true }} {{ +true }}",
    "{% macro m(a, b=2) %}[{{ a }}{{ b }}{{ varargs }}{{ kwargs }}]{% endmacro %}{{ m(1) }}{{ m(1, 3, 4, 5, x=6) }}{{ m(1, b=7) }}",
    "{% macro m(a) %}{{ a }}{{ kwargs | length }}{% endmacro %}{{ m(1, c=2, b=3) }}",
    "{{ '1f' | float }} {{ '1d' | int }} {{ '0x1p3' | float }} {{ 'inf' | float }} {{ '-Infinity' | float }} {{ 'nan' | float }} {{ '1_000' | int }} {{ '1_0.5' | float }} {{ ' 12 ' | int }} {{ '1e3' | int }} {{ '.5' | float }} {{ '5.' | float }} {{ '_1' | int(7) }} {{ '1_' | int(7) }} {{ '1__0' | int }}",
    "{{ '0x1A' | int(base=16) }} {{ '0b1' | int(base=16) }} {{ '0b11' | int(base=0) }} {{ '0x1A' | int }} {{ 'inf' | int }} {{ none | int }} {{ '12' | int(base=3) }}",
    "{% for g in items | groupby('kind') %}{{ g.grouper }}={{ g.list | map(attribute='n') | list }};{% endfor %}{% for k, all in items | groupby(attribute='kind') %}{{ k }}{{ all | length }}{% endfor %}",
    "{{ 'hello world foo' | truncate(8) }}|{{ 'hello world foo' | truncate(8, true) }}|{{ 'hello world' | truncate(9) }}|{{ 'hello world' | truncate(9, leeway=0, end='…') }}",
    "{{ 'ab' | center(7) }}|{{ 'abc' | center(8) }}|{{ 'abc' | center(2) }}|{{ 'ab' | center(5) }}|",
    "{{ [1, 2, 3, 4, 5] | batch(2) | list }} {{ [1, 2, 3] | batch(2, 'x') | list }} {{ [] | batch(2) | list }}",
    "{{ 'a\\n\\nb' | indent }}|{{ 'a\\n\\nb' | indent(2, blank=true) }}|{{ 'a\\nb\\n' | indent(2) }}|{{ 'a\\r\\nb' | indent(2, true) }}",
    "{% for x in 1, 2, 3 %}{{ x }}{% endfor %}{% for x in 1, 2 if x > 1 %}{{ x }}{% endfor %}",
    "{{ 'aXXbXXXc'.split('XX') }} {{ 'aXXbXXXc'.rsplit('XX') }} {{ 'aXXbXXXc'.rsplit('XX', 1) }} {{ 'XX'.split('XX') }} {{ ''.split(',') }} {{ ''.rsplit(',') }} {{ ''.split() }} {{ '  '.rsplit() }} {{ ' 🙂  b '.rsplit(none, 1) }} {{ 'a  b'.rsplit(none, 5) }} {{ ' a b c '.rsplit(none, 0) }} {{ ' a b c '.split(none, 2) }}",
    "{{ '1_.5' | float }} {{ '1._5' | float }} {{ '1_e5' | float(7) }} {{ '1e_5' | float(7) }} {{ '1__0' | float(7) }} {{ '0x_1a' | int(base=16) }} {{ '0x1_a' | int(base=16) }} {{ '_1' | float(3) }} {{ '+5' | int }} {{ '+-5' | int(3) }} {{ '.' | float(2) }}",
]

FAILING = [
    "{{ raise_exception('no such role') }}",
    "{{ missing.member }}",
    "{% if x %}",
    "{% endif %}",
    "{{ 1 + }}",
    "{% include 'a' %}",
    "{{ 1 | nofilter }}",
    "{{ 'a' + 1 }}",
    "{{ nofunction() }}",
    "{{ 'x",
    "{% for x in 1 %}{% endfor %}",
    "{{ ' a ' | trim(nosuch=1) }}",
    "{{ 'a' | upper(x=1) }}",
    "{{ 'a' | lower(1) }}",
    "{{ [1] | tojson(nosuch=1) }}",
    "{{ [1] | tojson(false, 1, (',', ':'), false, 1) }}",
    "{{ [1] | tojson(separators=1) }}",
    "{{ 'a' | default('b', value=1) }}",
    "{{ 'a' | replace('a') }}",
    "{{ 'a' | replace('a', 'b', old='c') }}",
    "{{ 'a' | indent(size=2) }}",
    "{{ [1] | join(by=',') }}",
    "{{ [1] | sort(key='a') }}",
    "{{ [1] | map('upper', nosuch=1) | list }}",
    "{{ [1] | map(attribute='a', nosuch=1) | list }}",
    "{{ 'a b'.split(by=' ') }}",
    "{{ 'a'.strip(chars='a') }}",
    "{{ {'b': 1, 'a': 2} | dictsort(by='x') }}",
    "{{ 10 ** 400 * 1.0 }}",
    "{{ 10 ** 400 | float }}",
    "{{ 10 ** 400 / 3 }}",
    "{{ 2.0 ** 10000 }}",
    "{{ 0 ** -1 }}",
    "{{ 'a'.upper(1) }}",
    "{{ 'a'.find('a', 0, 1, 2) }}",
    "{{ [1].count(1, 2) }}",
    "{{ dict([1]) }}",
    "{{ dict([1, 2], {}) }}",
    "{{ namespace(1) }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(b=2) }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, a=2) }}",
    "{{ strftime_now() }}",
    "{{ nosuch | int }}",
    "{{ 3 | round(method='x') }}",
    "{{ 1 in 'abc' }}",
    "{{ +'a' }}",
    "{{ 'a' in none }}",
    "{{ ','.join([1]) }}",
    "{{ 'abc' | truncate(1) }}",
    "{{ [1] | groupby }}",
    "{{ [2].index(1) }}",
]


def render(template, values):
    return _compile_jinja_template(template).render(**values)


def main(target):
    cases = []
    chats = [("headers", HEADERS), ("thinking", THINKING), ("turns", TURNS), ("macros", MACROS)]
    for name, template in chats:
        for messages in (PLAIN, CHAT):
            for more in ({}, {"tools": TOOLS}, {"add_generation_prompt": False, "enable_thinking": False}):
                if name == "macros" and "tools" not in more:
                    continue
                cases.append((name, template, {**VALUES, "messages": messages, **more}))
    cases.append(("instruction", INSTRUCTION, {**VALUES, "messages": PLAIN}))
    items = [{"kind": "a", "n": 1}, {"kind": "b", "n": 2}, {"kind": "a", "n": 4}]
    for i, template in enumerate(SMALL):
        cases.append((f"small {i}", template, {"items": items, "nothing": None}))
    out = [dict(name=n, template=t, values=v, text=render(t, v)) for n, t, v in cases]
    failing = []
    for template in FAILING:
        try:
            render(template, {})
            raise SystemExit("does not fail: " + template)
        except Exception:
            failing.append(template)
    with open(target, "w") as file:
        json.dump(dict(cases=out, failing=failing), file, ensure_ascii=False, indent=1)
        file.write("\n")
    print(len(out), "templates")


if __name__ == "__main__":
    main(sys.argv[1])
