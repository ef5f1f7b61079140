-- source.lua - marked regions of source files ("// [NAME]" ... "// [/NAME]"), as pages and slides show them: without the marks, and without the
-- indentation that all lines have. Whoever shows them loads it with dofile.

local source = {}

local function is_marker(line)
    return line:match("^%s*//%s*%[/?[%w-]+%]%s*$") or line:match("^%s*// >>>") or line:match("^%s*// <<<")
        or line:match("^%s*//%+")
end

local function dedent(lines)
    local margin
    for _, line in ipairs(lines) do
        local indent = line:match("^( *)%S")
        if indent and (not margin or #indent < margin) then margin = #indent end
    end
    for i, line in ipairs(lines) do lines[i] = line:sub((margin or 0) + 1) end
    return table.concat(lines, "\n")
end

-- The text of the region, or of all lines where no region is named; nil where there is no such region.
function source.region(lines, region)
    local kept, inside = {}, region == nil
    local found = inside
    for _, line in ipairs(lines) do
        local name = line:match("^%s*//%s*%[(/?[%w-]+)%]%s*$")
        if name and name == region then inside, found = true, true
        elseif name and name == "/" .. (region or "") then inside = false
        elseif inside and not is_marker(line) then kept[#kept + 1] = line end
    end
    return found and dedent(kept) or nil
end

return source
